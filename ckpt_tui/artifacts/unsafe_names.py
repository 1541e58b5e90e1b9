"""Which globals of a pickle could run code if a loader imported and called them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

# A module stands for itself and everything below it.
_MODULES: Final = frozenset(
    {
        "_osx_support", "_pickle", "_posixsubprocess", "_socket", "_thread", "aiohttp", "asyncio",
        "bdb", "cProfile", "cffi", "codeop", "ctypes", "distutils", "doctest", "ensurepip",
        "fcntl", "ftplib", "http", "httplib", "idlelib", "imp", "importlib", "lib2to3",
        "linecache", "marshal", "mmap", "nt", "ntpath", "os", "pdb", "pickle", "pip",
        "pkg_resources", "pkgutil", "popen2", "posix", "posixpath", "pty", "py_compile", "pydoc",
        "requests", "runpy", "setuptools", "shelve", "shutil", "smtplib", "socket", "sqlite3",
        "ssl", "subprocess", "sys", "sysconfig", "tempfile", "threading", "timeit", "tracemalloc",
        "urllib", "urllib2", "venv", "webbrowser", "xmlrpc", "zipimport",
        "numpy.distutils", "numpy.f2py", "numpy.testing",
        "torch.classes", "torch.hub", "torch.ops", "torch.package", "torch.utils.bottleneck",
        "torch.utils.collect_env", "torch.utils.cpp_extension", "torch.utils.model_zoo",
    }
)  # fmt: skip
# These modules (or a user's module of the same name) hold harmless names too.
_NAMES: Final = frozenset(
    {
        "builtins.__build_class__", "builtins.__import__", "builtins.apply",
        "builtins.breakpoint", "builtins.compile", "builtins.delattr", "builtins.eval",
        "builtins.exec", "builtins.execfile", "builtins.exit", "builtins.file",
        "builtins.globals", "builtins.help", "builtins.input", "builtins.locals",
        "builtins.open", "builtins.quit", "builtins.raw_input", "builtins.reload",
        "builtins.setattr", "builtins.vars",
        "_io.FileIO", "_io.open", "io.FileIO", "io.open", "io.open_code", "_io.open_code",
        "codecs.open", "bz2.open", "gzip.open", "lzma.open",
        "code.InteractiveConsole", "code.InteractiveInterpreter", "code.interact",
        "commands.getoutput", "commands.getstatusoutput",
        "copyreg.add_extension", "copyreg.pickle",
        "dill._dill._eval_repr", "dill._dill._import_module", "dill.load", "dill.loads",
        "cloudpickle.load", "cloudpickle.loads", "joblib.load",
        "functools.reduce", "gc.get_objects", "gc.get_referrers", "inspect.currentframe",
        "logging.FileHandler", "logging.config.listen",
        "multiprocessing.Process", "multiprocessing.util.spawnv_passfds",
        "numpy.fromfile", "numpy.load", "numpy.memmap", "pandas.eval", "pandas.read_pickle",
        "operator.attrgetter", "operator.methodcaller",
        "profile.Profile", "profile.run", "profile.runctx", "signal.signal",
        "torch.jit.load", "torch.load", "torch.save", "torch.serialization.load",
        "trace.Trace", "types.CodeType", "types.FunctionType", "types.LambdaType",
        "uuid._get_command_stdout",
    }
)  # fmt: skip
# From any object these attributes lead to any other.
_ATTRIBUTES: Final = frozenset(
    {"__builtins__", "__code__", "__getattribute__", "__globals__", "__loader__", "__subclasses__"}
)
_DEEPEST: Final = 8


def unsafe_globals(names: Iterable[str]) -> tuple[str, ...]:
    """Returns those of a pickle's globals that a loader must never import, sorted.

    An unknown class is not among them: frameworks and users pickle their own. What is listed
    can run code, open files or connections, or reach such a thing by attribute.

    Args:
        names: Qualified names, `module.name`, as in `LoadedPickle.globals`.
    """
    return tuple(sorted(name for name in names if _is_unsafe(name)))


@lru_cache(maxsize=1024)
def _is_unsafe(name: str) -> bool:
    parts = name.split(".")
    if not _ATTRIBUTES.isdisjoint(parts):
        return True
    beginnings = {".".join(parts[:count]) for count in range(1, min(len(parts), _DEEPEST) + 1)}
    return not (_MODULES.isdisjoint(beginnings) and _NAMES.isdisjoint(beginnings))
