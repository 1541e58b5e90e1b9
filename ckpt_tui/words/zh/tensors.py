"""Tensors, and two checkpoints side by side."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "tensor": "张量",
    "type": "类型",
    "shape": "形状",
    "role": "角色",
    "where": "位置",
    "part of the whole": "整体中的部分",
    "rank": "rank",
    "file": "文件",
    "first byte": "起始字节",
    "scalar": "标量",
    "at least {count}": "至少 {count}",
    "{found} of {count} tensors": "{found}/{count} 个张量",
    "{shown} tensor": "{shown} 个张量",
    "{shown} tensors": "{shown} 个张量",
    "{count} tensor": "{count} 个张量",
    "{count} tensors": "{count} 个张量",
    "{count} elements": "{count} 个元素",
    "{count} tensor shares the bytes of another one: {size} counted once": (
        "{count} 个张量与另一个共用字节：{size} 只计一次"
    ),
    "{count} tensors share the bytes of others: {size} counted once": (
        "{count} 个张量与其他张量共用字节：{size} 只计一次"
    ),
    "{count} remark more": "另有 {count} 条说明",
    "{count} remarks more": "另有 {count} 条说明",
    "nothing tells where it is stored": "没有信息说明它存在哪里",
    "reading headers…": "正在读取文件头…",
    "reading headers: {done} of {total} files": "正在读取文件头：{done}/{total} 个文件",
    "word  !word  dtype:bf16  role:optimizer  shape:4096  size>16m  rank:3": (
        "词  !词  dtype:bf16  role:optimizer  shape:4096  size>16m  rank:3"
    ),
    " enter keeps  esc clears ": " enter 保留  esc 清除 ",
    " esc clears ": " esc 清除 ",
    "the word is in the tensor's name, capital letters or not": "张量名含有这个词，不分大小写",
    "it is not in the name; ! turns every term round": "名称中没有这个词；! 使任何条件取反",
    "the data type, by its name or the usual short one": "数据类型，全名或常用简称",
    "the state that it belongs to begins so": "所属角色（英文）以此开头",
    "one of its lengths; shape:4096x128 for two side by side": (
        "其中一维的长度；shape:4096x128 为相邻两维"
    ),
    "also < >= <= =; bytes, or with k, m, g, t": "也可用 < >= <= =；字节数，或带 k、m、g、t",
    "that rank's file holds a chunk of it": "该 rank 的文件存有它的一块",
    "the word is in the path of a file that holds it": "存放它的文件路径含有这个词",
    "{count} chunks, {ranks}": "{count} 块，{ranks}",
    "{count} chunks in {files} files": "{count} 块，在 {files} 个文件中",
    "shares {name}": "与 {name} 共用",
    "1 more tensor is counted, not listed": "另有 1 个张量已计数，未列出",
    "{count} more tensors are counted, not listed": "另有 {count} 个张量已计数，未列出",
    "of 1 tensor the chunks are not kept: there are too many": "有 1 个张量的分块太多，未保留",
    "of {count} tensors the chunks are not kept: there are too many": (
        "有 {count} 个张量的分块太多，未保留"
    ),
    "1 name is longer than is shown": "有 1 个名称过长，未完整显示",
    "{count} names are longer than is shown": "有 {count} 个名称过长，未完整显示",
    "the time was up: 1 file was not read, {path}": "时间已到：有 1 个文件未读，{path}",
    "the time was up: {count} files ({size}) were not read, from {path} on": (
        "时间已到：从 {path} 起有 {count} 个文件（{size}）未读"
    ),
    "{path} and others, {count} files in all, cannot be read: {detail}": (
        "无法读取 {path} 等共 {count} 个文件：{detail}"
    ),
    "{path} cannot be read: {detail}": "无法读取 {path}：{detail}",
    "{path} ({size}) has no header that tells tensors": "{path}（{size}）没有记录张量的文件头",
    "{count} files ({size}) have no header that tells tensors, such as {path}": (
        "{count} 个文件（{size}）没有记录张量的文件头，例如 {path}"
    ),
    "no .metadata tells what {path} ({size}) holds": "没有 .metadata 说明 {path}（{size}）的内容",
    "no .metadata tells what {count} data files ({size}) hold, such as {path}": (
        "没有 .metadata 说明 {count} 个数据文件（{size}）的内容，例如 {path}"
    ),
    "1 pickled object ({size}) beside the tensors, by {path}": (
        "张量之外有 1 个 pickle 对象（{size}），见 {path}"
    ),
    "{count} pickled objects ({size}) beside the tensors, by {path}": (
        "张量之外有 {count} 个 pickle 对象（{size}），见 {path}"
    ),
    "{path} stores {size} that no tensor shows: views of larger storages": (
        "{path} 存有 {size} 没有张量用到：张量只是更大存储的视图"
    ),
    "{count} files store {size} that no tensor shows, such as {path}": (
        "{count} 个文件存有 {size} 没有张量用到，例如 {path}"
    ),
    "a part lies outside this checkpoint and was not followed: {path}": (
        "有一部分在该检查点之外，没有跟随：{path}"
    ),
    "{count} parts lie outside this checkpoint and were not followed: {path}": (
        "有 {count} 部分在该检查点之外，没有跟随：{path}"
    ),
    "{path} ({size}) holds the same tensors again": "{path}（{size}）重复存放相同的张量",
    "{count} files ({size}) hold the same tensors again, such as {path}": (
        "{count} 个文件（{size}）重复存放相同的张量，例如 {path}"
    ),
    "these are what the look saw; no header told more": "这些是扫描所见；文件头没有更多信息",
    "it is being saved: its headers are read when the save is done": (
        "正在保存：保存完成后再读取文件头"
    ),
    "for several reasons": "原因不一",
    "{count} are marked: two can be compared": "已标记 {count} 个：只能比较两个",
    "there is no checkpoint to compare": "没有可比较的检查点",
    "mark two checkpoints with space to compare them": "用空格键标记两个检查点再比较",
    "{first} and {second}": "{first} 与 {second}",
    "comparing …": "正在比较 …",
    "the headers are being read for the tensors …": "正在读取文件头以比较张量 …",
    "Nothing else differs in what was read.": "已读内容中没有其他差别。",
    "equal": "相同",
    "commit": "提交",
    "resumable": "可恢复",
    "save took": "保存用时",
    "whole shards": "完整分片",
    "rank {number}": "rank {number}",
    "the second is {how_far} after the first": "第二个比第一个晚 {how_far}",
    "the second is {how_far} before the first": "第二个比第一个早 {how_far}",
    "neither steps nor times tell how far they are apart": "step 和时间都看不出两者相距多远",
    "of the same step, {how_far}": "step 相同，{how_far}",
    "both are of the same step": "两者的 step 相同",
    "not of {ranks}": "缺 {ranks}",
    "as a whole": "总体",
    "shards whole in one only": "只在一方完整的分片",
    "findings only of the first": "只有第一个有的问题",
    "findings only of the second": "只有第二个有的问题",
    "both are {state}": "两者都是 {state}",
    "both are of format {format}": "两者的格式都是 {format}",
    "both hold {roles}": "两者都有{roles}",
    "{count} shard is whole in both": "{count} 个分片在两者中都完整",
    "{count} shards are whole in both": "{count} 个分片在两者中都完整",
    "both have the finding {code}": "两者都有问题 {code}",
    "{count} file of one size": "{count} 个文件大小相同",
    "{count} files of one size": "{count} 个文件大小相同",
    "{count} file whose size differs by less than 1 %": "{count} 个文件大小相差不到 1 %",
    "{count} files whose sizes differ by less than 1 %": "{count} 个文件大小相差不到 1 %",
    "{tensors} of one shape and type ({size})": "{tensors}的形状和类型相同（{size}）",
    "{size} in all": "共 {size}",
    "tensors of another shape": "形状不同的张量",
    "tensors of another type": "类型不同的张量",
    "tensors only in the first": "只在第一个中的张量",
    "tensors only in the second": "只在第二个中的张量",
    "tensors that are not compared": "未比较的张量",
    "of the first: {note}": "第一个：{note}",
    "of the second: {note}": "第二个：{note}",
}
