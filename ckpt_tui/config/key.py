"""One key of the configuration: what it may hold, what it means, who may set it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.config.settings import name_of

if TYPE_CHECKING:
    from ckpt_tui.config.rules import Rule, Schema
    from ckpt_tui.config.settings import Value


class Key(NamedTuple):
    """A key.

    Attributes:
        table: Its table; "" for one above all tables.
        key: Its name in the table.
        rule: What it may hold.
        text: What it sets.
        default: What holds where nothing sets it; None where there is then none.
        beside: Whether a file beside checkpoints may set it.
        laxer: 1 where a larger value lets more pass, -1 where a smaller one does, 0 for neither.
        variable: The environment variable; "" for none.
        flag: The option of the command line; "" for none.
    """

    table: str
    key: str
    rule: Rule
    text: str
    default: Value | None = None
    beside: bool = False
    laxer: int = 0
    variable: str = ""
    flag: str = ""

    @property
    def name(self) -> str:
        """As messages name it."""
        return name_of(self.table, self.key)

    def json_schema(self) -> Schema:
        """Its JSON Schema, with meaning and default."""
        default = list(self.default) if isinstance(self.default, tuple) else self.default
        told = {} if default is None else {"default": default}
        return {**self.rule.json_schema(), "description": self.text, **told}
