"""Other keys for actions, as configuration names them: by the id of an action."""

from __future__ import annotations

import unicodedata
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from textual.binding import Binding
from textual.keys import Keys, format_key

from ckpt_tui.tui.actions.planner import PLANNER_KEYS
from ckpt_tui.tui.actions.registry import PLACES
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ckpt_tui.tui.actions.action import Action

KeyMap = dict[str, tuple[str, ...]]
"""Id of an action → its keys, in place of all that it has by default."""

_MODIFIERS = frozenset({"alt", "ctrl", "hyper", "meta", "shift", "super"})
_NAMES = frozenset(each.value for each in Keys if "<" not in each.value and len(each.value) > 1)
_FIXED = ("planner, in a field",)
_SHOWN = 2


class WrongKeyError(NamedTuple):
    """What is wrong with the keys of an action."""

    action: str
    text: str


def mappable() -> dict[str, tuple[Action, ...]]:
    """Place → the actions there whose keys can be other ones."""
    kept = {place: tuple(actions) for place, actions in PLACES.items() if place not in _FIXED}
    return {**kept, "planner": PLANNER_KEYS}


def remapped(actions: Iterable[Action], key_map: Mapping[str, Sequence[str]]) -> list[Action]:
    """The actions with the keys that they have under a key map."""
    return [
        _with_keys(action, key_map[action.id]) if action.id in key_map else action
        for action in actions
    ]


def textual_keymap(key_map: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The same as `App.set_keymap` wants it."""
    return {action: ",".join(map(_plain, keys)) for action, keys in key_map.items()}


def for_replay(key_map: Mapping[str, Sequence[str]]) -> KeyMap:
    """What holds over a recording, whose own keys come before those of the dashboard below it."""
    own = {action.id for action in PLACES["replay"]}
    taken = {key for action in remapped(PLACES["replay"], key_map) for key in _keys_of(action)}
    dashboard = remapped(PLACES["dashboard"], key_map)
    lost = {action.id for action in dashboard if taken & set(_keys_of(action))} - own
    return {action: tuple(keys) for action, keys in key_map.items() if action not in lost}


def wrong_keys(key_map: Mapping[str, Sequence[str]]) -> Iterator[WrongKeyError]:
    """All that cannot be: unknown actions, unknown keys, one key for two actions of one place."""
    places = mappable()
    known = {action.id for actions in places.values() for action in actions}
    for name, keys in key_map.items():
        if name not in known:
            yield WrongKeyError(name, _unknown_action(name, known))
        for key in keys:
            if not _is_key(_plain(key)):
                yield WrongKeyError(name, _unknown_key(key))
    told: set[str] = set()
    for place, actions in places.items():
        for clash in _clashes(place, actions, key_map):
            if clash.action not in told:
                told.add(clash.action)
                yield clash


def _clashes(
    place: str, actions: Sequence[Action], key_map: Mapping[str, Sequence[str]]
) -> Iterator[WrongKeyError]:
    holders: dict[str, str] = {}
    for action in sorted(remapped(actions, key_map), key=lambda action: action.id in key_map):
        for key in _keys_of(action):
            holder = holders.setdefault(key, action.id)
            if holder != action.id and action.id in key_map:
                text = say(
                    "{key} would be {other}, too ({place}): give one of them another key",
                    key=key,
                    other=holder,
                    place=place,
                )
                yield WrongKeyError(action.id, text)


def _keys_of(action: Action) -> list[str]:
    """Its keys as Textual names them in the end."""
    return [binding.key for binding in Binding.make_bindings([action.binding()])]


def _with_keys(action: Action, keys: Sequence[str]) -> Action:
    shown = " ".join(_shown(_plain(key)) for key in keys[:_SHOWN])
    return action._replace(keys=",".join(map(_plain, keys)), shown=shown)


def _plain(key: str) -> str:
    """Textual cuts lists of keys at commas."""
    return "comma" if key.strip() == "," else key.strip()


def _shown(key: str) -> str:
    *modifiers, last = key.split("+") if len(key) > 1 else [key]
    return "+".join((*modifiers, last if len(last) == 1 else format_key(last)))


def _is_key(key: str) -> bool:
    if "," in key:
        return False
    *modifiers, last = key.split("+") if len(key) > 1 else [key]
    if not set(modifiers) <= _MODIFIERS:
        return False
    return _is_character(last) or last in _NAMES or _is_named_character(last)


def _is_character(text: str) -> bool:
    return len(text) == 1 and text.isprintable() and not text.isspace()


def _is_named_character(name: str) -> bool:
    try:
        unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return name in ("plus", "minus")
    return name.islower()


def _unknown_action(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name.lower(), sorted(known), 1, 0.5)
    if near:
        return say("is no action whose keys can change; did you mean {near}?", near=near[0])
    return say("is no action whose keys can change; ? in the dashboard lists them")


def _unknown_key(key: str) -> str:
    near = get_close_matches(key.lower(), sorted(_NAMES), 1, 0.5)
    if near:
        return say("{key} is no key; did you mean {near}?", key=repr(key), near=near[0])
    return say("{key} is no key: name one such as x, ctrl+x, f2 or question_mark", key=repr(key))
