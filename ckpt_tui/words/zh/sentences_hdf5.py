"""What is wrong with an HDF5 file: sentences of `artifacts.hdf5`."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # Superblock and reading by address
    "it has no HDF5 signature": "没有 HDF5 签名",
    "it has {} bytes, but its superblock says that its data end at {}": (
        "它有 {0} 字节，但超级块写明数据到 {1} 结束"
    ),
    "its superblock contradicts itself": "超级块自相矛盾",
    "its superblock gives addresses {} and lengths {} bytes, which cannot be": (
        "超级块写明地址占 {0} 字节、长度占 {1} 字节，不可能"
    ),
    "its superblock has addresses that a single file has not": "超级块中的地址不属于单个文件",
    "its superblock has another checksum than is stored in it": "超级块的校验和与其中存储的不同",
    "its superblock has version {}, which there is not": "超级块的版本是 {0}，没有这个版本",
    "a structure ends in the middle of a number": "某个结构在一个数的中间中断",
    "its structure has more than the limit of {} bytes": "它的结构超过上限 {0} 字节",
    "{} at address {} with {} bytes reaches past the end of the file's data at {}": (
        "{0:say}（地址 {1}，{2} 字节）越过了文件数据的末尾 {3}"
    ),
    "{} is not read by this version": "{0:say}，本版本不支持读取",
    # Object headers
    "an object header": "对象头",
    "an object header's block": "对象头的续块",
    "no object header begins at address {}": "地址 {0} 处没有对象头",
    "the object header at address {} is cut": "地址 {0} 处的对象头被截断",
    "the object header at address {} contradicts itself": "地址 {0} 处的对象头自相矛盾",
    "the object header at address {} leads into itself": "地址 {0} 处的对象头指回自身",
    "the object header at address {} has more messages than it counts": (
        "地址 {0} 处的对象头的消息多于其计数"
    ),
    "a block of the object header at address {} has another checksum than is stored in it": (
        "地址 {0} 处的对象头有一块的校验和与其中存储的不同"
    ),
    "a message reaches past the end of its object header": "某条消息越过了所在对象头的末尾",
    "an object header goes on in a block of 0 bytes": "某个对象头的续块为 0 字节",
    "an object header has a message of the unknown type {}": "某个对象头有未知类型 {0} 的消息",
    "an object header has bytes left after its messages": "某个对象头在其消息之后还有多余字节",
    "the flags of a message contradict each other": "某条消息的标志互相矛盾",
    # Groups
    "the group {} leads into itself": "组 {0} 指回自身",
    "the object {} is neither a group nor a dataset": "对象 {0} 既不是组也不是数据集",
    "a group names two of its members alike": "某个组有两个同名成员",
    "a group whose links are in a fractal heap": "链接存于分形堆的组",
    "a leaf of a group's tree": "组的树的叶节点",
    "a node of a group's tree": "组的树的节点",
    "no leaf of a group's tree begins at address {}": "地址 {0} 处没有组的树的叶节点",
    "no node of a group's tree begins at address {}": "地址 {0} 处没有组的树的节点",
    "the tree of a group at address {} leads into itself": "地址 {0} 处的组的树指回自身",
    "the members of a group are out of order in the leaf at {}": (
        "地址 {0} 处的叶节点中，组的成员次序不对"
    ),
    "a member of a group has its name outside the heap, at {}": (
        "某个组的成员的名称在堆之外，位于 {0}"
    ),
    "a member of a group is of the unknown kind {}": "某个组的成员属于未知种类 {0}",
    "a link contradicts itself": "某个链接自相矛盾",
    "a link's name reaches past the end of its message": "某个链接的名称越过了所在消息的末尾",
    "the information on a group's links contradicts itself": "某个组的链接信息自相矛盾",
    "a local heap": "局部堆",
    "no local heap begins at address {}": "地址 {0} 处没有局部堆",
    "the names of a local heap": "局部堆中的名称",
    "the free blocks of the local heap at address {} cannot be": (
        "地址 {0} 处的局部堆的空闲块不可能成立"
    ),
    "a global heap": "全局堆",
    "no global heap begins at address {}": "地址 {0} 处没有全局堆",
    "the heap at address {} has an object past its end": "地址 {0} 处的堆有对象越过其末尾",
    "the heap at address {} has no object {} of {} bytes": (
        "地址 {0} 处的堆没有长 {2} 字节的对象 {1}"
    ),
    # Attributes, datatypes, dataspaces
    "an attribute contradicts itself": "某个属性自相矛盾",
    "an attribute reaches past the end of its message": "某个属性越过了所在消息的末尾",
    "the attribute {} reaches past the end of its message": "属性 {0} 越过了所在消息的末尾",
    "a text of variable length ends in its reference": "某个变长文本在其引用处中断",
    "a datatype ends in the middle": "某个数据类型中途中断",
    "a datatype of class {}, version {} and {} bytes": (
        "不可能的数据类型：class {0}、版本 {1}、{2} 字节"
    ),
    "a floating datatype of {} bytes that numpy has not": "numpy 没有的 {0} 字节浮点类型",
    "an integer datatype with {} of {} bits": "整数类型只用了 {1} 位中的 {0} 位",
    "a dataspace ends in the middle": "某个数据空间中途中断",
    "a dataspace is larger than its own bound": "某个数据空间超过其自身的上限",
    "a dataspace of the unknown kind {}": "未知种类 {0} 的数据空间",
    "a dataspace of version {} with {} dimensions": "不可能的数据空间：版本 {0}、{1} 维",
    "a dataspace of {} dimensions with too many elements": "{0} 维数据空间的元素过多",
    # Datasets and their bytes
    "the dataset {}": "数据集 {0}",
    "the dataset {} needs {} bytes, its layout has {}": (
        "数据集 {0} 需要 {1} 字节，其布局只有 {2}"
    ),
    "the dataset {} with a datatype of another object": "数据类型存于其他对象的数据集 {0}",
    "the dataset {} with its bytes in another file": "字节存于其他文件的数据集 {0}",
    "a virtual dataset": "虚拟数据集",
    "a dataset's bytes reach past the end of its object header": (
        "某个数据集的字节越过了对象头的末尾"
    ),
    "a dataset's fill value contradicts itself": "某个数据集的填充值自相矛盾",
    "a dataset's filters contradict themselves": "某个数据集的过滤器自相矛盾",
    "a dataset's filters reach past the end of their message": (
        "某个数据集的过滤器越过了所在消息的末尾"
    ),
    "a dataset's layout ends in the middle": "某个数据集的布局中途中断",
    "a dataset's layout has a chunk without elements": "某个数据集的布局中有不含元素的分块",
    "a dataset's layout of version {} and class {}": "不可能的数据集布局：版本 {0}、class {1}",
    "a chunk index of type {}": "类型 {0} 的分块索引",
    "a chunk of a dataset": "数据集的分块",
    "the chunks of a dataset": "数据集的各分块",
    "the chunks of {} have other dimensions than it has": "{0} 的分块的维数与其自身不同",
    "a node of a chunk index": "分块索引的节点",
    "no node of a chunk index begins at address {}": "地址 {0} 处没有分块索引的节点",
    "the chunk at byte {} does not decompress": "字节 {0} 处的分块无法解压",
    "the chunk at byte {} has another fletcher32 checksum than is stored behind it": (
        "字节 {0} 处的分块的 fletcher32 校验和与其后存储的不同"
    ),
    "the chunk at byte {} has {} bytes instead of {}": ("字节 {0} 处的分块有 {1} 字节，应为 {2}"),
    "the filter {} is not read here": "本版本不支持过滤器 {0}",
}
