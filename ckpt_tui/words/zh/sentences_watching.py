"""How a directory is watched, the cache and the history: sentences of these parts."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "too deep or too many files to list": "层级太深或文件太多，无法列出",
    "local file system ({})": "本地文件系统（{0}）",
    "{}: inotify sees no other host's writes": "{0}：inotify 看不到其他主机的写入",
    "{}: inotify sees no writes behind the FUSE daemon": (
        "{0}：inotify 看不到 FUSE 守护进程背后的写入"
    ),
    "autofs: another file system may be mounted here at any time": (
        "autofs：这里随时可能挂载别的文件系统"
    ),
    "{}: not known to report every write to inotify": "{0}：不能确定会向 inotify 报告每次写入",
    "overlay: its layers are overlays themselves, too deep to judge": (
        "overlay：其各层也是 overlay，层级太深无法判断"
    ),
    "overlay over {}": "overlay，下层是 {0:say}",
    "local file system (overlay)": "本地文件系统（overlay）",
    "polling was asked for": "要求使用轮询",
    "unknown file system: events are tried": "未知文件系统：尝试使用事件",
    "this system has no inotify": "本系统没有 inotify",
    "no inotify instance: its limit (fs.inotify.max_user_instances) or that of open files": (
        "无法创建 inotify 实例：达到其上限（fs.inotify.max_user_instances）或打开文件数上限"
    ),
    "no inotify instance: {}": "无法创建 inotify 实例：{0:say}",
    "inotify watch limit reached ({})": "达到 inotify 监视数上限（{0}）",
    "this system has no events of its own": "本系统没有自己的文件事件",
    "the directory is not there: waiting for it": "目录不存在：等待它出现",
    "events cannot be had: {}": "无法使用事件：{0:say}",
    "watchdog cannot be loaded: {}": "无法加载 watchdog：{0}",
    "not started yet": "尚未开始",
    "choosing how to watch": "正在选择监视方式",
    "nothing to watch": "没有要监视的目录",
    "the reading was given up": "已放弃读取",
    " by file times": "（按文件时间）",
    "last growth {} ago{}": "{0} 前最后一次增长{1:say}",
    "nothing has grown for {}": "已 {0:say} 没有增长",
    "being checked: it looks {} ({}), but the file server may answer from a cache for {}": (
        "正在核实：看起来是 {0}（{1:say}），但文件服务器可能在 {2} 内给出缓存的结果"
    ),
    "it is no regular file": "它不是普通文件",
    "another user may write it": "其他用户可以写它",
    "it has {} bytes, more than twice what is kept": "它有 {0} 字节，超过保留量的两倍",
    "delete it with `ckpt-tui cache clear`, or switch it off with CKPT_TUI_CACHE=0": (
        "用 `ckpt-tui cache clear` 删除它，或用 CKPT_TUI_CACHE=0 关闭"
    ),
    "another process is writing it": "另一个进程正在写它",
    "{}: the cache cannot be used: {}; {}": "{0}：缓存无法使用：{1:say}；{2:say}",
    "it holds tables of another program": "里面是别的程序的表",
    "switched off by {}": "已由 {0} 关闭",
    "no home directory: set XDG_CACHE_HOME": "没有主目录：请设置 XDG_CACHE_HOME",
    "its table of tensors is not there": "没有它的张量表",
    "the bytes end early, or hold too much": "字节过早结束，或内容过多",
    "the bytes cannot be read: {}": "字节无法读取：{0:say}",
    "it is of version {}, not {}": "它的版本是 {0}，不是 {1}",
    "move the file away to begin anew, or switch the history off with CKPT_TUI_HISTORY=0": (
        "移走该文件以重新开始，或用 CKPT_TUI_HISTORY=0 关闭历史记录"
    ),
    "another process is writing it; try again": "另一个进程正在写它；请重试",
    "{}: the history cannot be used: {}; {}": "{0}：历史记录无法使用：{1:say}；{2:say}",
    "no home directory: set XDG_STATE_HOME": "没有主目录：请设置 XDG_STATE_HOME",
}
