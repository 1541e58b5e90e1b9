"""What `plan` says, and its options."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "Compare checkpoint intervals: what saves, faults, rollback and reload cost at each;"
    " name the best.\n"
    "Numbers come from the options, a published run (--preset), or the checkpoints"
    " themselves (--from).\n": (
        "比较检查点间隔：每种间隔下保存、故障、回退和重载的代价，并给出最优者。\n"
        "数值来自选项、已发表的运行（--preset）或检查点本身（--from）。\n"
    ),
    "exit codes: 0 a plan was made": "退出码：0 已做出计划",
    "ckpt-tui plan [--from DIR] [--preset NAME] [OPTION …]  (-h lists them)": (
        "ckpt-tui plan [--from DIR] [--preset NAME] [OPTION …]  （-h 列出全部选项）"
    ),
    "Preset {name}: {title}. Source: {source}.": "预设 {name}：{title}。来源：{source}。",
    "--run: needs the directory of the runs, such as --from /mnt/checkpoints": (
        "--run：需要这些运行所在的目录，如 --from /mnt/checkpoints"
    ),
    "Preset {name}: {title}. Source: {source}; {note}.": (
        "预设 {name}：{title}。来源：{source}；{note}。"
    ),
    "begin with a published run; `list` shows them all": "从一个已发表的运行开始；`list` 列出全部",
    "simulate each listed interval beside the formula (default: {runs} runs)": (
        "在公式旁模拟列出的每个间隔（默认：{runs} 次运行）"
    ),
    "of the simulation (default: 1)": "模拟的随机种子（默认：1）",
    "also print the best interval as settings of the frameworks' savers": (
        "另外打印最优间隔在各框架保存器中的设置"
    ),
    "what last=3,every=1000,best=2 would keep and free; every= counts steps": (
        "last=3,every=1000,best=2 会保留和释放什么；every= 以步计"
    ),
    "how many checkpoints to keep against silent corruption that is found so late": (
        "针对晚这么久才发现的静默损坏，应保留多少个检查点"
    ),
    "print a Markdown report": "打印 Markdown 报告",
    "--gpu-hour-price: needs the number of GPUs, such as --gpus 1024": (
        "--gpu-hour-price：需要 GPU 数，如 --gpus 1024"
    ),
    "Settings, {text}": "设置，{text}",
    "{text}: need a number of runs from 2 to {most} such as {runs}": (
        "{text}：需要 2 至 {most} 的运行次数，如 {runs}"
    ),
    "--retention: needs a size, such as --checkpoint-bytes 2TB, or --from DIR": (
        "--retention：需要检查点大小，如 --checkpoint-bytes 2TB，或 --from DIR"
    ),
    "{text}: need a time ≥ 0 such as 90 or 6h": "{text}：需要不小于 0 的时间，如 90 或 6h",
    "take interval, save time, size, time of a step and the fault rate from the checkpoints"
    " below DIR; options win": (
        "从 DIR 下的检查点取得间隔、保存时间、大小、每步时间和故障率；选项优先"
    ),
    "which run of DIR": "DIR 中的哪个运行",
    "a stop that was planned, by its time as the report shows it (may be repeated)": (
        "计划内的停机，用报告中显示的时间指明（可重复）"
    ),
    "belief about the rate before looking (default: 0.5,0); or a rate such as 6.5/1000nd x"
    " 2048, which counts as one failure": (
        "观察前对故障率的先验（默认：0.5,0）；或一个故障率，如 6.5/1000nd x 2048，按一次故障计"
    ),
    "of the credible interval, 50%% to 99.9%% (default: 90%%)": (
        "可信区间的水平，50%% 至 99.9%%（默认：90%%）"
    ),
    "use no history, only what DIR shows now": "不用历史，只用 DIR 现在显示的内容",
    "ckpt-tui plan: --from {directory}: say which run with --run; there are: {names}": (
        "ckpt-tui plan: --from {directory}：请用 --run 指明哪个运行；可用：{names}"
    ),
    "{text}: need a share from 50% to 99.9% such as 90%": (
        "{text}：需要 50% 至 99.9% 的比例，如 90%"
    ),
    "ckpt-tui plan: --not-a-failure goes with --from DIR": (
        "ckpt-tui plan: --not-a-failure 要与 --from DIR 一起使用"
    ),
    "ckpt-tui plan: --not-a-failure {time}: no failure was seen then; seen: {seen}": (
        "ckpt-tui plan: --not-a-failure {time}：当时未见故障；看到的有：{seen}"
    ),
    "{text}: need a time such as 2026-01-31T03:12:00Z": "{text}：需要时间，如 2026-01-31T03:12:00Z",
    "{text}: need a shape above 0 and hours ≥ 0 such as 0.5,0, or a rate such as 6.5/1000nd"
    " x 2048": (
        "{text}：需要大于 0 的形状和不小于 0 的小时数，如 0.5,0，或故障率，如 6.5/1000nd x 2048"
    ),
    "{count} save": "{count} 次保存",
    "{count} saves": "{count} 次保存",
    "Save time: at least {time}": "保存时间：至少 {time}",
    "Save time: {time}": "保存时间：{time}",
    ": a lower bound, as file times mark the ends of writes": (
        "：这是下界，因为文件时间标记的是写入结束"
    ),
    ", exact": "，准确值",
    "Failures: {count} seen in {hours} h of running.": (
        "故障：在 {hours} h 的运行中看到 {count} 次。"
    ),
    ", {count} of them known only from the history": "，其中 {count} 次只见于历史",
    "From the directory of {name}: medians of {saves}.": "来自 {name} 的目录：{saves}的中位数。",
    " (95 % of {count} save within {time})": "（{count} 次保存的 95 % 在 {time} 以内）",
    " (95 % of {count} saves within {time})": "（{count} 次保存的 95 % 在 {time} 以内）",
    ", at most {speed}": "，至多 {speed}",
    ", {speed}": "，{speed}",
    "; taken for the persist, as no directory shows how long training stood still": (
        "；用作持久化时间，因为目录不显示训练停了多久"
    ),
    " One shows with a chance of {share}: what costs less than half an interval leaves no"
    " trace, so that only this share of the time counts.": (
        "一次故障显现的概率为 {share}：代价小于半个间隔的不留痕迹，因此只计这部分时间。"
    ),
    "Rate: {mean}/h in the mean over {hours} h in which a failure would have shown (prior"
    " {shape} in {prior} h); {level}: {low} to {high}/h.": (
        "故障率：均值 {mean}/h，基于故障会显现的 {hours} h（先验 {prior} h 内 {shape} 次）"
        "；{level}：{low} 至 {high}/h。"
    ),
    "Best interval at the ends of that range: {low} to {high}.": (
        "该范围两端的最优间隔：{low} 至 {high}。"
    ),
    "Failures: too few commits with steps and times of their own to see any.": (
        "故障：带有步数和各自时间的提交太少，看不出故障。"
    ),
    "Interval: {time} from commit to commit{steps}.": "间隔：两次提交之间 {time}{steps}。",
    "Save time: not shown; give --save-minutes from the job's log.": (
        "保存时间：未显示；请按作业日志给出 --save-minutes。"
    ),
    "  and {count} before these": "  此前还有 {count} 次",
    "Rate: no failure could have been seen; give --fault-rate or --mtbf-hours.": (
        "故障率：不可能看到任何故障；请给出 --fault-rate 或 --mtbf-hours。"
    ),
    "The plan uses the rate that was given, not this one.": "计划使用给定的故障率，而不是这一个。",
    "so short a time without a failure does not contradict it": "这么短的无故障时间与之并不矛盾",
    "No failure was seen: the rate is at most 3/T = {rate}/h (95 %), an MTBF of at least"
    " {mtbf}.": "未见故障：故障率至多 3/T = {rate}/h（95 %），即 MTBF 至少 {mtbf}。",
    " That is wide: the longer this run is watched, the narrower it gets.": (
        "范围较宽：对此运行观察越久，范围越窄。"
    ),
    "  {at} the step went back, {excess} beyond its steps": (
        "  {at} 步数回退，超出其步数所需 {excess}"
    ),
    "  {at} a gap, {excess} beyond its steps": "  {at} 间隙，超出其步数所需 {excess}",
    "no plan can be made with the one seen": "用看到的故障率无法做出计划",
    "The plan keeps {rate}: {why}.": "计划沿用 {rate}：{why}。",
    "{text} (default: {value})": "{text}（默认：{value}）",
    "ckpt-tui plan: give one of --fault-rate, --mtbf-hours and --node-mtbf-hours": (
        "ckpt-tui plan: --fault-rate、--mtbf-hours 和 --node-mtbf-hours 只给其一"
    ),
    "ckpt-tui plan: --nodes and --node-mtbf-hours go together, such as --nodes 64"
    " --node-mtbf-hours 8760": (
        "ckpt-tui plan: --nodes 与 --node-mtbf-hours 要一起给出，如 --nodes 64 "
        "--node-mtbf-hours 8760"
    ),
    "ckpt-tui plan: --intervals: {error}; need {need}": (
        "ckpt-tui plan: --intervals：{error}；需要{need}"
    ),
    "{text}: need {need}": "{text}：需要{need}",
    "Against silent corruption found {time} late keep at least so many, by interval:"
    " {counts}": "针对晚 {time} 才发现的静默损坏，各间隔至少保留的个数：{counts}",
    "The policy would keep {count} checkpoint ({kept_size}) and free {freed}"
    " ({freed_size}). Nothing is deleted here.": (
        "此策略会保留 {count} 个检查点（{kept_size}），释放 {freed} 个（{freed_size}）。这"
        "里不会删除任何内容。"
    ),
    "The policy would keep {count} checkpoints ({kept_size}) and free {freed}"
    " ({freed_size}). Nothing is deleted here.": (
        "此策略会保留 {count} 个检查点（{kept_size}），释放 {freed} 个（{freed_size}）。这"
        "里不会删除任何内容。"
    ),
    "The disk ({size} free) is full in {time} if nothing is removed.": (
        "若不删除任何内容，磁盘（剩余 {size}）将在 {time} 后写满。"
    ),
    "{text}: need whole numbers from 1 such as last=3,every=1000,best=2": (
        "{text}：需要从 1 起的整数，如 last=3,every=1000,best=2"
    ),
    "  {word} {count} more": "  {word}另外 {count} 个",
    "With the policy it is full in {time}.": "按此策略将在 {time} 后写满。",
    "With the policy it does not fill up.": "按此策略不会写满。",
    "not resumable": "不可恢复",
    "ckpt-tui plan: --simulate needs numpy, which comes with the extra `sim`: pip install"
    " 'ckpt-tui[sim]'": (
        "ckpt-tui plan: --simulate 需要 numpy，它随附加项 `sim` 安装：pip install 'ckpt-tui[sim]'"
    ),
    "simulating {interval}: {share}": "正在模拟 {interval}：{share}",
    "Simulated, {runs} runs each, seed {seed}: wall time": (
        "模拟，每个间隔 {runs} 次运行，种子 {seed}：总时长"
    ),
    "cannot be simulated: {reason}": "无法模拟：{reason}",
    "ok": "一致",
    "formula": "公式",
    "mean ± 99 %": "均值 ± 99 %",
    "5 % to 95 %": "5 % 至 95 %",
    "the formula is a long-run average, so it is not compared": "公式是长期平均，因此不作比较",
    "the formula lies outside: one in a hundred does by chance": (
        "公式落在区间之外：百次中会偶然出现一次"
    ),
}
