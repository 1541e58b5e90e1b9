"""Pickles that harm a careless loader. Run as a program, it loads each and says what came out.

It runs in a process of its own, since what it guards against is a crash or the end of memory.
"""

from __future__ import annotations

import json
import resource
import struct
import time

from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.safe_pickle import load_pickle
from ckpt_tui.artifacts.unsafe_names import unsafe_globals

MEMORY_BYTES = 1 << 30
CPU_SECONDS = 0.5
OPCODES = 1_000_000
MANY = 100_000


def _integer(value: int) -> bytes:
    data = value.to_bytes(value.bit_length() // 8 + 1, "little")
    return b"\x8a" + bytes([len(data)]) + data


# Written out in full this tuple has 2^60 parts.
_DAG = b")" + b"2\x86" * 60
# All have the same hash.
_EQUAL_HASHES = [_integer(number * ((1 << 61) - 1)) for number in range(1, 20_000)]
_BIG_LIST = b"(" + b"N" * 500_000 + b"l"
_AGAIN = b"q\x000%bq\x010(" + b"h\x01h\x00\x85R" * 50_000 + b"l."
_RUN = b"S'touch canary'\n"

# Each names code to run.
CALLS = {
    "reduce": b"cos\nsystem\n(" + _RUN + b"tR.",
    "inst": b"(" + _RUN + b"ios\nsystem\n.",
    "obj": b"(cos\nsystem\n" + _RUN + b"o.",
    "newobj": b"cos\nsystem\n(" + _RUN + b"t\x81.",
    "newobj_ex": b"cos\nsystem\n(" + _RUN + b"t}\x92.",
    "stack_global": b"\x8c\x02os\x8c\x06system\x93" + _RUN + b"\x85R.",
    "eval": b'c__builtin__\neval\nS\'open("canary", "w")\'\n\x85R.',
    "getattr": b"c__builtin__\ngetattr\ncos\npath\nS'os'\n\x86RS'touch canary'\n\x85R.",
    "state": b"capp\nThing\n)Rcsubprocess\nPopen\nb0cos\nsystem\n(" + _RUN + b"tR.",
    "setstate": b"capp\nThing\n)R}S'__setstate__'\ncos\nsystem\nsb" + _RUN + b"b.",
}
# Each is refused.
REFUSED = {
    "memo index": b"Nr\xff\xff\xff\x7f.",
    "memo index in text": b"Np2147483647\n.",
    "length of text": b"\x8d" + struct.pack("<Q", 1 << 62) + b"a.",
    "length of bytearray": b"\x96" + struct.pack("<Q", 1 << 40) + b"a.",
    "length of frame": b"\x95" + struct.pack("<Q", 1 << 60) + b"N.",
    "key": b"}" + _DAG + b"Ns.",
    "keys": b"}(" + _DAG + b"Nu.",
    "keys of dict": b"(" + _DAG + b"Nd.",
    "keys of state": b"capp\nThing\n)R}(" + _DAG + b"Nub.",
    "keys of instance": b"capp\nThing\n)R" + _DAG + b"Ns.",
    "element": b"\x8f(" + _DAG + b"\x90.",
    "element of frozenset": b"(" + _DAG + b"\x91.",
    "ordered dict": b"ccollections\nOrderedDict\n]" + _DAG + b"N\x86a\x85R.",
    "set by name": b"c__builtin__\nset\n]" + _DAG + b"a\x85R.",
    "deep key": b"})" + b"\x85" * MANY + b"Ns.",
    "equal hashes": b"}(" + b"".join(key + b"N" for key in _EQUAL_HASHES) + b"u.",
    "equal hashes in set": b"\x8f(" + b"".join(_EQUAL_HASHES) + b"\x90.",
    "copies by tuple": _BIG_LIST + _AGAIN % b"c__builtin__\ntuple\n",
    "copies by set": _BIG_LIST + _AGAIN % b"c__builtin__\nset\n",
    "copies of text": b"X" + struct.pack("<I", 1 << 20) + b"a" * (1 << 20)
    + _AGAIN % b"c_codecs\nencode\n",
    "bytearray by length": b"c__builtin__\nbytearray\nJ\xff\xff\xff\x7f\x85R.",
    "big integer": b"\x8b" + struct.pack("<I", 1 << 20) + b"\x7f" * (1 << 20) + b".",
    "many digits": b"L" + b"9" * 100_000 + b"L\n.",
    "many globals": b"".join(b"ca%d\nb\n0" % number for number in range(20_000)) + b"N.",
    "long global": b"c" + b"a" * 10_000 + b"\nb\n.",
    "nested slices": b"c__builtin__\nslice\nq\x000N" + b"q\x010h\x00h\x01\x85R" * MANY + b".",
    "many opcodes": b"N0" * 500_001 + b"N.",
    "many sets": b"(" + b"\x8f" * 400_000 + b"l.",
    "extension": b"\x82\x01.",
    "out of band": b"\x97.",
    "list as key": b"}]Ns.",
}  # fmt: skip
# Each is odd, and a value.
ACCEPTED = {
    "dag": _DAG + b".",
    "dag as argument": b"capp\nThing\n" + _DAG + b"\x85R.",
    "deep tuple": b")" + b"\x85" * MANY + b".",
    "deep list": b"]" * MANY + b"a" * (MANY - 1) + b".",
    "deep instance": b"capp\nThing\nq\x000N" + b"q\x010h\x00h\x01\x85R" * MANY + b".",
    "deep state": b"capp\nThing\nq\x000N" + b"q\x010h\x00)Rh\x01b" * MANY + b".",
    "deep frozenset": b"(\x91q\x00" + b"0(h\x00\x91q\x00" * MANY + b".",
    "dag of frozensets": b"(\x91q\x00" + b"0(h\x00h\x00\x85\x91q\x00" * 100 + b".",
    "forged request": _BIG_LIST.replace(b"l", b"t") + b"q\x000(" + b"h\x00NK\x08\x87)R" * 9999
    + b"l.",
    "arguments again": _BIG_LIST.replace(b"l", b"t") + b"q\x000capp\nThing\nq\x010("
    + b"h\x01h\x00R" * 9999 + b"l.",
    "contains itself": b"]q\x00h\x00a.",
    "state on a global": b"cos\nsystem\n}S'name'\nNsb.",
    "state on a list": b"]}S'name'\nNsb.",
}  # fmt: skip


def main() -> None:
    """Print one line of JSON for each pickle."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    limits = Limits(seconds=CPU_SECONDS, pickle_opcodes=OPCODES)
    for name, data in (CALLS | REFUSED | ACCEPTED).items():
        started = time.thread_time()
        try:
            loaded = load_pickle(data, limits)
            outcome = "value"
            unsafe = unsafe_globals(loaded.globals)
            del loaded
        except ArtifactError as error:
            outcome, unsafe = error.code, ()
        seconds = time.thread_time() - started
        print(json.dumps([name, outcome, unsafe, seconds]), flush=True)


if __name__ == "__main__":
    main()
