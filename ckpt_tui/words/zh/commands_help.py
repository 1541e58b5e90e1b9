"""What the help says of whole commands, and of the program."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "usage: ckpt-tui [DIR] | COMMAND [ARGS]… | --version | --help | --completion SHELL\n"
    "\n"
    "Which checkpoint can the job resume from, and why not the newer ones?\n"
    "\n"
    "  ckpt-tui DIR   the dashboard on the checkpoints below DIR (its options: ckpt-tui"
    " dashboard -h)\n"
    "\n"
    "Nothing is ever written below DIR. A command word wins over a directory of that name:"
    " ./check.\n"
    "\n"
    "commands (each has --help):\n"
    "{commands}\n"
    "\n"
    "  --lang en|zh         language of texts, before or after the command (default: the"
    " locale's)\n"
    "  --completion SHELL   print a completion script for {shells}\n"
    "  -V, --version        print the version\n"
    "  -h, --help           print this\n"
    "\n"
    "examples:\n"
    "  ckpt-tui demo                        see it at work on a simulated job\n"
    "  ckpt-tui /runs/gpt                   watch a run\n"
    "  ckpt-tui check --json /runs/gpt      every verdict, for a program\n"
    "  ckpt-tui latest /runs/gpt            the path to resume from, for a launch script\n"
    "  ckpt-tui explain truncated-file      what a finding means, and what to do\n"
    "\n"
    "environment:\n"
    "  CKPT_TUI_CONFIG=FILE    the user's configuration     CKPT_TUI_CACHE=0     keep no"
    " facts for later\n"
    "  CKPT_TUI_READERS=N      processes that read ahead    CKPT_TUI_HISTORY=0   keep no"
    " history of runs\n"
    "  CKPT_TUI_DEBUG=1        show where an error arose    CKPT_TUI_STATE=0     remember"
    " no filters\n"
    "  NO_COLOR=1              no colours                   CKPT_TUI_VERIFIED=0  use no results"
    " of verify\n"
    "\n"
    "exit codes of check: 0 the newest attempt is resumable, 1 warning, 2 nothing is"
    " resumable,\n"
    "3 not readable, 4 no checkpoint yet; of every command: 64 usage, 70 internal error,"
    " 130 interrupted\n": (
        "用法: ckpt-tui [DIR] | COMMAND [ARGS]… | --version | --help | --completion SHELL\n"
        "\n"
        "作业能从哪个检查点恢复，为什么不是更新的那些？\n"
        "\n"
        "  ckpt-tui DIR   打开 DIR 下检查点的仪表盘（其选项：ckpt-tui dashboard -h）\n"
        "\n"
        "绝不向 DIR 下写入任何内容。命令名优先于同名目录：写成 ./check。\n"
        "\n"
        "命令（各有 --help）：\n"
        "{commands}\n"
        "\n"
        "  --lang en|zh         界面语言，写在命令前或后（默认：按 locale）\n"
        "  --completion SHELL   打印补全脚本，用于 {shells}\n"
        "  -V, --version        打印版本\n"
        "  -h, --help           打印本页\n"
        "\n"
        "示例：\n"
        "  ckpt-tui demo                        在模拟作业上观看效果\n"
        "  ckpt-tui /runs/gpt                   监视一个运行\n"
        "  ckpt-tui check --json /runs/gpt      全部判定，供程序读取\n"
        "  ckpt-tui latest /runs/gpt            恢复所用的路径，供启动脚本使用\n"
        "  ckpt-tui explain truncated-file      某个问题的含义及处理办法\n"
        "\n"
        "环境变量：\n"
        "  CKPT_TUI_CONFIG=FILE    用户的配置文件           CKPT_TUI_CACHE=0     不为以后保"
        "留事实\n"
        "  CKPT_TUI_READERS=N      预读进程数               CKPT_TUI_HISTORY=0   不保留运行"
        "历史\n"
        "  CKPT_TUI_DEBUG=1        显示错误发生的位置       CKPT_TUI_STATE=0     不记住过滤"
        "条件\n"
        "  NO_COLOR=1              不用颜色                 CKPT_TUI_VERIFIED=0"
        "  不用校验结果\n"
        "\n"
        "check 的退出码：0 最新一次保存可恢复，1 警告，2 没有可恢复的，3 无法读取，4 尚无检"
        "查点；\n"
        "所有命令：64 用法错误，70 内部错误，130 被中断\n"
    ),
    "every checkpoint's verdict and the resume point, one shot": "每个检查点的判定与恢复点，一次性",
    "the checkpoint that a restart should load, for launch scripts": (
        "重启应加载的检查点，供启动脚本使用"
    ),
    "one checkpoint: roles, shards, files, findings, tensors": (
        "单个检查点：角色、分片、文件、问题、张量"
    ),
    "two checkpoints side by side: what differs, what is the same": (
        "两个检查点并排：哪里不同，哪里相同"
    ),
    "what a finding or a verdict means, and what to do about it": "问题或判定的含义，以及处理办法",
    "which interval to save at": "应按什么间隔保存",
    "facts of checkpoints that were read before: where they are kept, delete them": (
        "以前读过的检查点事实：存放位置，删除"
    ),
    "what was seen of runs: where it is kept, show it, forget it": (
        "见过的运行：存放位置，查看，遗忘"
    ),
    "which files of configuration count, what they set, whether they are right": (
        "哪些配置文件生效，设置了什么，是否正确"
    ),
    "record what happens below a directory, without a terminal": "在没有终端时录制目录下发生的事",
    "step through a recording in the dashboard": "在仪表盘中逐帧回放录制",
    "watch a simulated job write checkpoints, faults included": "观看模拟作业写检查点，包括故障",
    "Which checkpoint can the job resume from?": "作业能从哪个检查点恢复？",
    "--completion: name a shell: {shells}": "--completion：请指定 shell：{shells}",
    "What the dashboard read of checkpoints, so that its next start reads only those that"
    " differ. A\n"
    "checkpoint's facts count as long as every file has the size, time and number that it"
    " had. Nothing\n"
    "else uses them: `check`, `latest`, `show` and `record` read all anew. Delete them at"
    " any time.\n"
    "\n"
    "  path    where they lie, and whether they are used\n"
    "  show    directories, and how many checkpoints of each are kept\n"
    "  clear   deletes them\n"
    "\n"
    "{switch}=0 switches it off; `ckpt-tui --no-cache DIR` does for one start.\n": (
        "仪表盘读过的检查点事实，使下次启动只读有变化的检查点。只要每个文件的大小、时间和编"
        "号不变，\n"
        "检查点的事实就有效。其他命令不用它：`check`、`latest`、`show` 和 `record` 都重新读"
        "取。\n"
        "可随时删除。\n"
        "\n"
        "  path    存放位置，以及是否启用\n"
        "  show    各目录，以及每个目录保留了多少检查点\n"
        "  clear   全部删除\n"
        "\n"
        "{switch}=0 关闭它；`ckpt-tui --no-cache DIR` 只关闭这一次。\n"
    ),
    "exit codes: 0 done; 3 the file cannot be used": "退出码：0 完成；3 文件无法使用",
    "exit codes: 0 the newest attempt of every run is resumable, or in flight above a"
    " resumable one;\n"
    "1 warning; 2 critical: checkpoints are there and none is resumable; 3 not there, not"
    " readable, or\n"
    "the time is up; 4 no checkpoint yet; of several runs the worst\n": (
        "退出码：0 每个运行最新一次保存可恢复，或正在可恢复的检查点之上保存；1 警告；2 严重"
        "：有检查点但\n"
        "没有可恢复的；3 不存在、无法读取或超时；4 尚无检查点；有多个运行时取最差的\n"
    ),
    "Judge every checkpoint below DIR and name the resume point: what a restart should"
    " load, and why not\n"
    "the newer ones. One shot; nothing is written. Verdicts and findings: ckpt-tui explain"
    "\n": (
        "判定 DIR 下的每个检查点并指出恢复点：重启应加载哪个，为什么不是更新的那些。\n"
        "一次性，不写入任何内容。判定与问题的说明：ckpt-tui explain\n"
    ),
    "Compare two checkpoints, A and B: state, roles, shards, findings, files, and tensors"
    " from headers:\n"
    "added, removed, of another shape or type. No tensor data is read.\n": (
        "比较两个检查点 A 和 B：状态、角色、分片、问题、文件，以及取自文件头的张量：\n"
        "新增、移除、形状或类型不同。不读取张量数据。\n"
    ),
    "exit codes: 0 both hold the same: format, world size, roles, whole shards, tensors; 1"
    " they do not;\n"
    "3 one is not there, not readable, or the time is up; 4 one is no checkpoint\n": (
        "退出码：0 两者内容相同：格式、world size、角色、完整分片、张量；1 不同；\n"
        "3 其一不存在、无法读取或超时；4 其一不是检查点\n"
    ),
    "Open the dashboard on the checkpoints below DIR. It follows what happens there and"
    " writes nothing\n"
    "below DIR; ? shows its keys. Without a terminal it prints what `ckpt-tui check DIR`"
    " does.\n": (
        "打开 DIR 下检查点的仪表盘。它跟踪那里发生的事，不向 DIR 下写入；? 显示按键。\n"
        "没有终端时，打印与 `ckpt-tui check DIR` 相同的内容。\n"
    ),
    "exit codes: 0 left; 3 DIR is not there or gives no answer; without a terminal, check's": (
        "退出码：0 已离开；3 DIR 不存在或没有响应；没有终端时同 check"
    ),
    "Watch a simulated training job write checkpoints, faults included.\n"
    "\n"
    "Its ranks are killed, stall and leave truncated shards and wrong pointers on purpose;"
    " the\n"
    "verdicts are the product's own.\n": (
        "观看模拟训练作业写检查点，包括故障。\n"
        "\n"
        "其 rank 会被杀死、停滞，并故意留下截断的分片和错误的指针文件；判定由本产品自己作出"
        "。\n"
    ),
    "exit codes: 0 left, or all was written": "退出码：0 已离开，或已全部写完",
    "Explain a finding code or a verdict: what was seen, how it comes about, what it does"
    " to the verdict,\n"
    "what to do, and what the training framework does. Without CODE, list all of them, one"
    " a line.\n": (
        "解释问题代码或判定：看到了什么，如何产生，对判定有何影响，如何处理，以及训练框架会"
        "怎么做。\n"
        "不带 CODE 时每行列出一个，列出全部。\n"
    ),
    "exit codes: 0 explained; 64 no such code or verdict (the nearest ones are named)": (
        "退出码：0 已解释；64 没有此代码或判定（会给出最接近的）"
    ),
    "What was seen of runs: the dashboard keeps it in a small database of yours, so that"
    " `plan --from`\n"
    "and the planner know intervals, save times and failures of checkpoints that are long"
    " removed.\n"
    "Nothing is ever written below a watched directory.\n"
    "\n"
    "  path           where the database lies, and whether it is kept\n"
    "  show [RUN]     the runs that are kept, or the saves of one\n"
    "  keep DIR       looks at DIR once and keeps its saves: for a timer, where no"
    " dashboard runs\n"
    "  clear [RUN]    forgets one run, or all\n"
    "\n"
    "RUN is a run's directory, or PATH:FORMAT as `show` prints it. {switch}=0 switches all"
    " off.\n": (
        "见过的运行：仪表盘把它们保存在你自己的小数据库中，使 `plan --from` 和规划器知道早"
        "已删除的\n"
        "检查点的间隔、保存时间和故障。绝不向被监视的目录下写入任何内容。\n"
        "\n"
        "  path           数据库的位置，以及是否启用\n"
        "  show [RUN]     保留的各运行，或某个运行的各次保存\n"
        "  keep DIR       查看一次 DIR 并保留其保存记录：用于没有仪表盘时的定时任务\n"
        "  clear [RUN]    遗忘一个运行，或全部\n"
        "\n"
        "RUN 是运行的目录，或 `show` 打印的 PATH:FORMAT。{switch}=0 全部关闭。\n"
    ),
    "exit codes: 0 done; 3 the database or DIR cannot be used; 4 no such run is kept": (
        "退出码：0 完成；3 数据库或 DIR 无法使用；4 没有保留这样的运行"
    ),
    "Print the checkpoint that a restart should load, and nothing else: the resumable one"
    " of the highest\n"
    "step. For launch scripts: why it is not the newest, and what is wrong, goes to stderr;"
    " the exit code\n"
    "says whether to start.\n": (
        "打印重启应加载的检查点，仅此一项：步数最高的可恢复检查点。用于启动脚本：为何不是最新的、"
        "有何问题，\n"
        "写到 stderr；退出码说明能否启动。\n"
    ),
    "exit codes: 0 and one line; 2 checkpoints are there and none is resumable; 3 not"
    " there, not\n"
    "readable, or the time is up; 4 no checkpoint yet, the only code on which a job may"
    " start from step\n"
    "0; 64 also for several runs and no --run\n": (
        "退出码：0 及一行输出；2 有检查点但没有可恢复的；3 不存在、无法读取或超时；4 尚无检"
        "查点，\n"
        "只有此码允许作业从 step 0 开始；64 也用于有多个运行而没有 --run\n"
    ),
    "Record what happens below DIR, for `ckpt-tui replay FILE`.\n"
    "\n"
    "Nothing is written below DIR. A recording that is there is continued; one that is"
    " killed can be\n"
    "replayed up to then. It goes on until it is interrupted or terminated, or for"
    " --seconds.\n": (
        "录制 DIR 下发生的事，供 `ckpt-tui replay FILE` 使用。\n"
        "\n"
        "不向 DIR 下写入任何内容。已有的录制会续录；被杀死的录制可以回放到当时为止。\n"
        "录制持续到被中断或终止，或到 --seconds 为止。\n"
    ),
    "exit codes: 0 ended; 3 DIR is not there or gives no answer, or FILE could not be"
    " written to the end\n": "退出码：0 已结束；3 DIR 不存在或没有响应，或 FILE 未能写到结束\n",
    "Step through a recording that `--record FILE` or `ckpt-tui record` made.\n"
    "\n"
    "The dashboard is that of the recorded moment: ages count from there. Keys: space"
    " plays, . and , go\n"
    "a frame on and back, > and < to the next event and the one before, a and A to the next"
    " warning and\n"
    "the one before, n and b a minute, x and X change the speed, home and end; ? shows them"
    " all. Without\n"
    "a terminal, or with --json, a summary is printed.\n": (
        "逐帧回放由 `--record FILE` 或 `ckpt-tui record` 录制的内容。\n"
        "\n"
        "仪表盘显示录制时刻的样子：时长从那一刻算起。按键：space 播放，. 和 , 前进与后退一"
        "帧，\n"
        "> 和 < 到下一个与上一个事件，a 和 A 到下一个与上一个警告，n 和 b 一分钟，x 和 X 改"
        "变速度，\n"
        "home 和 end；? 显示全部。没有终端或带 --json 时打印摘要。\n"
    ),
    "exit codes: 0 done; 3 FILE is not there, or is no recording that can be read": (
        "退出码：0 完成；3 FILE 不存在，或不是能读取的录制"
    ),
    "Show one CHECKPOINT: whether to resume from it and how, then the evidence: roles,"
    " shards, files,\n"
    "findings, tensors from headers. No tensor data is read.\n": (
        "显示一个 CHECKPOINT：能否及如何从它恢复，然后是证据：角色、分片、文件、问题、\n"
        "取自文件头的张量。不读取张量数据。\n"
    ),
    "exit codes: 0 resumable; 1 weights only or still saving; 2 not resumable; 3 not there,"
    " not readable,\n"
    "or the time is up; 4 no checkpoint\n": (
        "退出码：0 可恢复；1 仅权重或仍在保存；2 不可恢复；3 不存在、无法读取或超时；4 不是检查点\n"
    ),
}
