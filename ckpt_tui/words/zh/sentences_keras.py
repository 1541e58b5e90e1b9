"""What the readers of Keras and TensorFlow say."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "{} is not read: only {} is": "不支持读取 {0}：只读取 {1}",
    (
        "no commit mark: the weights' own end decides, and the JSON that is written after them "
        "(BackupAndRestore)"
    ): ("没有提交标记：由权重自身的结尾和随后写入的 JSON 决定（BackupAndRestore）"),
    "the next `fit` goes on without weights, and says nothing": (
        "下一次 `fit` 会在没有权重的情况下悄悄继续"
    ),
    "the next `fit` begins at epoch 0 again": "下一次 `fit` 会从 epoch 0 重新开始",
    "key `epoch`": "`epoch` 键",
    "{}: {}; BackupAndRestore takes the pair before it ({}) instead": (
        "{0}：{1:say}；BackupAndRestore 改用它之前的那一对（{2}）"
    ),
    (
        "Copy latest.weights.h5.bkp and training_metadata.json.bkp, the pair before it, to their "
        "names without .bkp: the next `fit` goes on from there."
    ): (
        "把之前的那一对 latest.weights.h5.bkp 和 training_metadata.json.bkp 复制为不带 .bkp "
        "的文件名：下一次 `fit` 会从那里继续。"
    ),
    "Nothing has to be done: the next `fit` copies the pair before it over this one.": (
        "无需处理：下一次 `fit` 会用之前的那一对覆盖这一对。"
    ),
    "the pair before": "之前的那一对",
    "cannot be opened": "无法打开",
    "epoch {} by {}": "epoch {0}，依据 {1}",
    "saved at its batch {}, but `fit` begins the epoch anew": (
        "保存于该 epoch 的第 {0} 个 batch，但 `fit` 会从头开始这个 epoch"
    ),
    "step from the optimizer's iterations": "步数来自优化器的 iterations",
    "its writer clears the consistency flags of the file when it closes it (HDF5)": (
        "写入方在关闭文件时清除一致性标志（HDF5）"
    ),
    "the close of the file": "关闭文件这一步",
    "only the name carries a number": "只有名称带编号",
    "attribute `{}`": "`{0}` 属性",
    (
        "the optimizer's moments are in it, but Keras 3 restores only weights and iterations of a "
        "whole model in HDF5 and drops the moments without a word"
    ): ("其中有优化器的动量，但从 HDF5 整模型文件里 Keras 3 只恢复权重和 iterations，悄悄丢弃动量"),
    "Resume from a `.keras` or `.weights.h5` file; from this one only weights can be had.": (
        "从 `.keras` 或 `.weights.h5` 文件恢复；这个文件只能取到权重。"
    ),
    "Keras 2 wrote it; Keras 3 would drop the optimizer's moments without a word": (
        "由 Keras 2 写入；Keras 3 会悄悄丢弃优化器的动量"
    ),
    "Load it with Keras 2 (`tf_keras`), as the job that wrote it does.": (
        "像写入它的作业那样，用 Keras 2（`tf_keras`）加载。"
    ),
    "Keras 3 stops at the loss {} in it unless it is passed as a custom object": (
        "Keras 3 会在其中的 loss {0} 处停止，除非把它作为自定义对象传入"
    ),
    "Pass `custom_objects` as the command to load it shows.": (
        "按加载命令所示传入 `custom_objects`。"
    ),
    "{} iterations in the optimizer": "优化器的 iterations 为 {0}",
    "the optimizer's learning rate, or the iterations that a schedule goes by": (
        "优化器的学习率，或学习率调度所依据的 iterations"
    ),
    "{} variables, such as those under {}": "{0} 个变量，例如 {1} 下的",
    "variables of {}": "{0} 的变量",
    "variable {} of {}": "{1} 的变量 {0}",
    "variable {}": "变量 {0}",
    "{} moments for each trained variable": "每个可训练变量的 {0} 个动量",
    "group {}": "组 {0}",
    "the index counts the bytes of all shards; it is written last, with the last shard (Keras)": (
        "索引记录所有分片的总字节数；它与最后一个分片一起最后写入（Keras）"
    ),
    "the rest of its shards": "其余分片",
    "the index": "索引",
    "it is no index of Keras's sharded weights": "它不是 Keras 分片权重的索引",
    "it names a shard that is no file": "它列出的分片不是文件",
    "it names more than {} shards": "它列出的分片超过 {0} 个",
    "the index places variables in it": "索引把变量放在其中",
    "no commit mark: the file's own end decides (Keras writes in place)": (
        "没有提交标记：由文件自身的结尾决定（Keras 原地写入）"
    ),
    "Keras does not split its state: every process loads all of it": (
        "Keras 不切分状态：每个进程都加载全部"
    ),
    (
        "the optimizer is in it, but `load_weights` passes over it with no more than a warning "
        "unless the model's optimizer was built before"
    ): ("其中有优化器，但除非模型的优化器事先 build 过，`load_weights` 只给一条警告就跳过它"),
    "Call `model.optimizer.build(model.trainable_variables)` before `model.load_weights`.": (
        "先调用 `model.optimizer.build(model.trainable_variables)`，再调用 `model.load_weights`。"
    ),
    (
        "its optimizer scales the loss: `load_model` passes it over with no more than a warning "
        "unless the process has set the policy `mixed_float16` before"
    ): (
        "其优化器缩放 loss：除非进程事先设置了 `mixed_float16` 策略，`load_model` 只给一条警告就"
        "跳过它"
    ),
    'Call `keras.config.set_dtype_policy("mixed_float16")` before `load_model`.': (
        '先调用 `keras.config.set_dtype_policy("mixed_float16")`，再调用 `load_model`。'
    ),
    (
        "an optimizer is in its weights, but its configuration names none: "
        "`load_model` makes no optimizer and passes it over"
    ): ("权重里有优化器，但其配置没有写明优化器：`load_model` 不会建立优化器，因而跳过它"),
    (
        "Compile the model, call `model.optimizer.build(model.trainable_variables)`, then "
        "`model.load_weights` on this file."
    ): (
        "先 compile 模型，调用 `model.optimizer.build(model.trainable_variables)`，再对这个文件调用"
        " `model.load_weights`。"
    ),
    "Keras makes the model from it": "Keras 依据它构建模型",
    "it holds every state": "它含有全部状态",
    "{} is a link within the file, which Keras refuses": "{0} 是文件内的链接，Keras 拒绝它",
    "the graph in {} trains by plain gradient descent, which keeps no variables": (
        "{0} 里的图用普通梯度下降训练，它不保存任何变量"
    ),
    "the index is written last, in place, after the data files are renamed (TensorFlow)": (
        "数据文件重命名之后，最后原地写入索引（TensorFlow）"
    ),
    "{} is still beside it: the job stopped before it removed its temporary directory": (
        "{0} 仍在旁边：作业还没删除临时目录就停了"
    ),
    (
        "{} is gone, and `{}` still counts it among the older checkpoints: its removal was cut "
        "half-way"
    ): ("{0} 不见了，而 `{1}` 仍把它列为较早的检查点：删除中途被打断"),
    "natively: each variable is restored by its name, whatever the number of workers": (
        "原生支持：各变量按名称恢复，与 worker 数无关"
    ),
    "more than {} objects": "对象超过 {0} 个",
    "key `{}` in {}, by its object graph": "`{0}` 键（{1}），依据其对象图",
    "key `{}` in {}, by its keys": "`{0}` 键（{1}），依据其各键",
    "saved_model.pb is written after the variables (SavedModel)": (
        "saved_model.pb 在变量之后写入（SavedModel）"
    ),
    "variables in {}": "{0} 里的变量",
    "{} needs it": "{0} 需要它",
    "it is no checkpoint state from character {} on": "从第 {0} 个字符起不是检查点状态文件的内容",
    "it names no latest checkpoint": "它没有指明最新的检查点",
    "`{}` places {} tensors in it": "`{0}` 把 {1} 个张量放在其中",
    "its entries hold {} of {} elements of `{}`": "`{2}` 的 {1} 个元素中，其条目只含 {0} 个",
    "the data is younger than the index": "数据比索引新",
    "{}: the bytes of `{}` have another CRC-32C than the index says": (
        "{0}：`{1}` 的字节与索引所记的 CRC-32C 不符"
    ),
    "its content: the index alone says what belongs to it": "其内容：只有索引写明哪些属于它",
}
