"""HDF5 files that h5py 3.14 (HDF5 1.14) wrote, compressed: what Keras itself never writes.

`CHUNKED` has symbol tables, chunks with and without filters, odd types and a soft link; `NEWEST`
was written with `libver="latest"`: checksums, link messages, a single chunk; `FRACTAL` keeps many
links in a fractal heap.
"""

from __future__ import annotations

import base64
import zlib


def _unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b85decode(text))


CHUNKED = _unpacked(
    "c-rk;O>7%Q6n?wwSc_xijhd=yQ&b0#>b9sjB|@nPWSzt%l|pOLLVZA$op>!ra$_fPsVfy>{-pGRdMvkaYYzx>tGJ"
    "K=678*UX~oGxLiCm(gj7!9&CZN}Cb1n=G<C)M;!oo@^LA$Z_U&ljo84TUoH+5UZ=VksOcOj{K|MAEtg%K}wkJfXi"
    "E>GlH*{Iw<+k;SdQ0>lig5XXs6YF5Gzy?s`&Y*adqgSZ$|x^~f$)F8WHb_EWm)mN@aW?mR|7BiZB5D{Uh2HUFZ8-"
    "Zsmca=KGW<89susbLD*x$o)4>frrWL?yu)sYxw2;PcHM2)U@>zsoz6O<4>k{8pK{XKWT94Xi0cb=3o{vK;gw^&-V"
    "|4$p&P|6S;eO*4h?S09%oLSp3vM`i=&Lz`m)zALT%2k)PJM3o?J(g`&;YDb>iOP&h%%t-f3H`cjIl2D+hRa6ly1N"
    "EBqB`lugAiJ+!0{2m}IwKp;F7D4w55EFa4x@|k$PqJ2{O_@i-qEHeJnr+d5K&EB7{{P<aa;QW<`t1I8Hz7TwV;D^"
    "K-ct0O5?dk>i?RbCugI~+TZWl*mv7he_hQBG#=l@)P#=N?8a`MjY$T>ql6^C#4VGObRu<y&`=YIKn=L4W14}i372"
    "Q-5{yvo}c(8PB1#{Ej0<7WGLDfPTf^nUMel)ZH0P9P8n1OkEZ6r;qpD{TBAOUPy93bKNP2!MqQBEv`<8AB$Jd1MK"
    ">guI5lj$B6GK$elWkSoaB$h*k<$O`g7Bz54euK?EZ`$M+nHimbQNE7KtvTeOyWFK-rGKhQ;8A85<3?qk-!^jb&jh"
    "sMEBBzis<XL1K`5rQXOd&JK?AYqP+%35QxZU_c-cLVj{7@Gc%s*GVWv+`0ici!7c>G{&iXYlVD>n}|Mm5difPWOd"
    "W*Y=2l?@p`#Tf(wfj}S-2oyhH{P3h=hs|*VzpvNC#(+_c57amz0Q}iQ3w&MR3#f5|uEYu2%|l#6&B!lx+Q}aQ`;o"
    "0OFe)Me8-}`JXv1h{mG8uZQ+=Io6&IuHAby>+i?^knJW7;f2s`X%wrFXWKaOk_SNX-rY}{UKOBF8X9hCRtc$Vvna"
    "w;a&P0N+mjzC>q?D4G}wr#&TetJp+F(G9h4AbdsE?F3SRac_HjFZjg>ikN!PtP>kQTCTqM!y!IwVOa75C{YUfj}S"
    "-2!x%&=KN7(KEi+ye_dDSb(UGnTbzhYorwb5!G0$y4{Dw#*%)ce2uO5R{zz+Y5S~D5mdL3Y02BjQ;!Q?N8S;8ZI|"
    "xho$b^)>rNeAD4cq2%jm-`t;O}UMk(kaEGOS#@c)^tya+elanMr2Tth_Xva@_VzZlQqXWyfuXf>UH7%sKBn3#>ht"
    "cIB7Ffzt2(t2Cf|Usv`gtt=CGaYbKx>wwj|Ut4~8y|tcv%H-=qt@Y%4{A;gu=5^5{ETjH^1HX6^ohN?#U@m#VJ=0"
    "ASzv8-)_Sd1dOv>xdBkHAWxZ{MX<CyrDo-H~lly_;oy_$Fx8Ck!01Dc)tUhHu$H|P3ev+Gh9Q~4LjSza6"
)

NEWEST = _unpacked(
    "c-rmQUr19?90%}o?(WvzylZ!BYs<10DFl_=BEyHMIaiGwZIn@g#4fokviWBs2BAZ;EGo(#5-JdS$R~*&qM!%=^k+"
    "h(<jar(qX-`g>?Ne4`rh3;SyDZS&>zls`|R$Xd+yzD_s@AaXM=(5R!hFcAP6LzZ+a@++PbW__wuGg;b34l=N)UX9"
    "?R9jIdXT*#=;Rwh-o3g!cZ5F4e19mNotF+zE(LJujKSLyV_=|RZhej6A@nTSwMcD=##p>Oi7ebT1W`TQ7Y=&jQVo"
    "+y1_}P-MfNlzu_frfw<e$?Wop}m**gqQxAui+QX3PC7=+V;|x?Z^0XtTfDx*HX(N9+@A>uTTMoJ&+TDXu((%gH?)"
    "C6xvd|ut_#0#6W_3B>71~<|WpPOHoF0<JGm7V9)5zx+($_UL#jYY(iB(zd4}|<XcMV+bT2xb9S#`hR*4u$AZfo6^"
    "ljZ}$y78vY$>%r2Pm?QGIUa|)yY57X&s{HBde`|bok+DF-di*sF<!`@*9&41aBJ~2s$B;%mHoFp<gd@g@S|(mx8z"
    "oQ`0$1#^gusM04XCx0x!tmg9t>S9+J=rm!KPZpcih#J?MuNj6xbFU=pTa8i*g~4+IcF0w;K28F--(R>NA5VI!2nX"
    "7E7(f)IiTRKk9!f+$qO5vcXgWqi;^gX&m35qq6|@B{O62|n@9(sL=vrk2DvD~*Zf>|MHTp6-g_2c@TeQIdo+QJ@d"
    "H#d>$GAeTdZI%XFuZc@i5BXO!5<I3?ESwbnnK{B+FNg$m5sF_XL5i{+U+>*Y$*|Tp)c{r5WBIWeTc}O#tCug6ujj"
    "*t=u&}VOu&}VOu&}VO{9~D!wBt!;#=syFDhcZRfg0ZrlW{J6j$&rYIQ9RWht!6bqYJX<q&!&h^JyZJsLqg3*}Pcm"
    "`N4j*?>m~54`u"
)

FRACTAL = _unpacked(
    "c-rgqaB<`1lHy|K;9!7(|4`7%4dEL=#a%Qlr}%rg1TiUGF67Nd#uZ#l42%p6OhO=K)oc*uyzEeY5ezf~Tw7Jo<8T"
    "thG5^s3#G$lw5{q@Q-KdjBoivP{<Q5$4%3uu5-i&383|%0GQ;FtEtXc-44@lH9>H}J&q9Bg|22dhmVh~`!sC>#8A"
    "$(Xe1FAx$p@5TE8<BKEj8*{Bt#Ivg@9AxE3h{7ZU<IiI)qE)$t?V#6V9I_sRJyqZ1647=+{eg(N+awGV5k7v0h2L"
    "hfrv{npwj!8eg!#&__#5!#;>1l!r%$2I2n#kc<08D3}(LJFY;rk1v5o&JoRHJ05jL+Di$-?fSLO?#}zY#fth}PPd"
    "76tftl~M;tw;3f|<e<f%h2n!OXi6YvUP4!C(V!9xhJsW)nEE-24{L$iS3ta2TGtn9>cy7!e$!mq;Ar8YTqCgr6C~"
    "F<pejF-u`VaLm<M5gdybtfR3oZ~y>`Q$xi"
)
