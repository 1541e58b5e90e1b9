"""What is taken out of the dashboard: to the clipboard, into a file, to the shell."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "Taking a text": "取出文本",
    "the next text": "下一个文本",
    "up": "向上",
    "the text before": "上一个文本",
    "clipboard": "剪贴板",
    "to the terminal's clipboard": "送到终端的剪贴板",
    "print it once the dashboard is left, or not": "退出看板后打印它，或取消",
    "into a file, outside the watched directory": "写入文件，在被监视的目录之外",
    "close the list": "关闭列表",
    "path": "路径",
    "resume flag": "恢复参数",
    "row as JSON": "整行 JSON",
    "tag": "标签",
    "printed on exit": "退出时打印",
    "nothing can go on from it, it is {verdict}{because}": "无法从它继续（{verdict}）{because}",
    ": {reason}": "：{reason}",
    "{message}: {remedy}": "{message}：{remedy}",
    "its framework takes none that is known: it is loaded by its path": (
        "它的框架没有已知的参数：按路径加载"
    ),
    "its name holds characters that are not safe to paste": "它的名称含有粘贴不安全的字符",
    "No {what}: {reason}.": "没有{what}：{reason}。",
    "The resume point is {title}.": "恢复点是 {title}。",
    "The {what} was not sent: {reason}.": "{what}没有送出：{reason}。",
    "C offers a file, or to print it on exit.": "按 C 可写入文件，或在退出时打印。",
    "The {what} was sent to the terminal's clipboard.": "{what}已送到终端的剪贴板。",
    "If it did not arrive: C.": "如果没有收到：按 C。",
    "The {what} will not be printed.": "{what}不会打印。",
    "The {what} will be printed when you quit.": "{what}会在退出时打印。",
    "1 text in all.": "共 1 个文本。",
    "{count} texts in all.": "共 {count} 个文本。",
    "The {what} is in": "{what}已写入",
    "Written:": "已写入：",
    "Not written: {error}": "没有写入：{error}",
    "write to a file": "写入文件",
    "this terminal (TERM={terminal}) has no clipboard": "该终端 (TERM={terminal}) 没有剪贴板",
    "it is too long for a terminal's clipboard ({size} of at most {most} bytes)": (
        "对终端的剪贴板来说太长（{size} 字节，最多 {most}）"
    ),
    "the current, the temporary and the home directory are all watched": (
        "当前目录、临时目录和主目录都在被监视的目录里"
    ),
    "table as CSV": "表格 (CSV)",
    "table as Markdown": "表格 (Markdown)",
    "all as JSON": "全部 (JSON)",
    "the screen as SVG": "屏幕 (SVG)",
    "as it is drawn now, without this list": "按当前画面，不含本列表",
    "the one checkpoint": "唯一的检查点",
    "all {count} checkpoints, as they are sorted": "全部 {count} 个检查点，按当前排序",
    "the {shown} of {total} rows that are shown, as they are sorted": (
        "{total} 行中显示的 {shown} 行，按当前排序"
    ),
    "the one there is": "唯一的一个",
    "checkpoint": "检查点",
    "verdict": "判定",
    "committed (UTC)": "提交时间 (UTC)",
    "all {count} of them, run by run": "全部 {count} 个，按运行排列",
    "the document of `ckpt-tui check --json`: every checkpoint, filtered or not": (
        "`ckpt-tui check --json` 的文档：每个检查点，不论是否被过滤"
    ),
}
