"""The protocol for other languages: JSON Schema and TypeScript types, made from the structs.

``python -m triomino.protocol.schema docs/protocol.schema.json web/src/protocol.d.ts`` writes both;
with ``--check`` it fails if one is out of date.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

import msgspec
from msgspec import inspect as types

from triomino.protocol import api, messages, people, play_now
from triomino.protocol.messages import PROTOCOL_VERSION, ClientMessage, ServerMessage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import ModuleType

REQUESTS: Final = (
    api.TableOptions,
    api.ArrivingTable,
    api.RematchOptions,
    api.TakeSeat,
    api.Commitment,
    api.Seed,
    api.Claim,
    api.PadActs,
    api.ClubOptions,
    api.ClubRequest,
    api.PushSubscription,
    api.RecordToAnalyse,
    people.ProfileChange,
    people.JoinProfile,
    people.RecoverProfile,
    people.PasskeyAnswer,
    people.GameUpload,
    people.NewReport,
    people.NewBan,
    play_now.JoinQueue,
    play_now.TakeBots,
    play_now.LeaveQueue,
    play_now.QueuePing,
    play_now.RatingAgreement,
    play_now.BoardWish,
)
"""Bodies that clients send."""

ANSWERS: Final = (
    api.ArrivedTable,
    api.PushState,
    api.Device,
    api.SeatTaken,
    api.SeatLink,
    api.TableSummary,
    api.PadMade,
    api.PadVersion,
    api.PadNews,
    api.ClubMade,
    api.ClubState,
    api.ClubNews,
    api.AnalysisState,
    api.BotInfo,
    api.RuleBook,
    people.Me,
    people.DeviceLink,
    people.RecoveryPhrase,
    people.PasskeyOptions,
    people.MyGame,
    people.MarkedPerson,
    people.SeatPerson,
    people.HostOverview,
    api.Problem,
    play_now.QueueState,
    play_now.QueueTable,
    play_now.QueueLeft,
    play_now.QueueRefused,
    play_now.TableRatings,
    play_now.PersonRatings,
    play_now.Leaderboard,
)
"""Bodies that the server sends."""


# --- JSON Schema ---------------------------------------------------------------------------------


def json_schema() -> dict[str, Any]:
    """The JSON Schema of every message and body, each under its name in ``$defs``.

    >>> schema = json_schema()
    >>> schema["$defs"]["Ack"]["required"]
    ['type', 'id', 'version']
    """
    kinds = [ClientMessage, ServerMessage, *REQUESTS, *ANSWERS]
    roots, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"triomino protocol {PROTOCOL_VERSION}",
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": {"ClientMessage": roots[0], "ServerMessage": roots[1], **parts},
    }


# --- TypeScript ----------------------------------------------------------------------------------


def typescript() -> str:
    """TypeScript types of all messages and bodies; the ``type`` of a message tells which it is.

    Fields that a client may leave out, or that the server leaves out, are optional: an absent value
    has its default.
    """
    from_clients = _structs([*get_args(ClientMessage), *REQUESTS])
    answers = _structs([*get_args(ServerMessage), *ANSWERS])
    from_server = [kind for kind in answers if kind not in from_clients]
    parts = [
        f"// Protocol {PROTOCOL_VERSION}, made from the structs of triomino.protocol; do not edit.",
        "// From clients.",
        *(_interface(kind, sends=True) for kind in from_clients),
        _union("ClientMessage", get_args(ClientMessage)),
        "// From the server.",
        *(_interface(kind, sends=False) for kind in from_server),
        _union("ServerMessage", get_args(ServerMessage)),
    ]
    return "\n\n".join(parts) + "\n"


def _structs(roots: Iterable[type]) -> list[type]:
    """The structs and all structs they contain, each after its parts."""
    found: list[type] = []

    def add(info: types.Type) -> None:
        for part in _parts(info):
            add(part)
        if isinstance(info, types.StructType) and info.cls not in found:
            found.append(info.cls)

    for root in roots:
        add(types.type_info(root))
    return found


def _parts(info: types.Type) -> Iterator[types.Type]:
    if isinstance(info, types.StructType):
        yield from (field.type for field in info.fields)
    elif isinstance(info, types.UnionType):
        yield from info.types
    elif isinstance(info, types.ListType | types.VarTupleType):
        yield info.item_type
    elif isinstance(info, types.TupleType):
        yield from info.item_types
    elif isinstance(info, types.DictType):
        yield info.value_type


def _interface(kind: type, *, sends: bool) -> str:
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)  # noqa: S101 - all of them are
    docs = _field_docs(kind)
    lines = [f"/** {_line(kind.__doc__)} */", f"export interface {kind.__name__} {{"]
    if info.tag is not None:
        lines.append(f"  {info.tag_field}: {json.dumps(info.tag)};")
    omits = bool(kind.__struct_config__.omit_defaults)  # type: ignore[attr-defined]
    for field in info.fields:
        if field.encode_name in docs:
            lines.append(f"  /** {docs[field.encode_name]} */")
        optional = not field.required and (sends or omits)
        # The server omits defaults, so it never writes null there.
        never_null = optional and not sends and field.default is None
        mark = "?" if optional else ""
        lines.append(f"  {field.encode_name}{mark}: {_type(field.type, never_null=never_null)};")
    return "\n".join([*lines, "}"])


def _union(name: str, kinds: Sequence[type]) -> str:
    return f"export type {name} =\n" + "\n".join(f"  | {kind.__name__}" for kind in kinds) + ";"


_PLAIN: Final = {
    types.BoolType: "boolean",
    types.IntType: "number",
    types.FloatType: "number",
    types.StrType: "string",
    types.NoneType: "null",
    types.AnyType: "unknown",
}


def _type(info: types.Type, *, never_null: bool = False) -> str:
    """A type in TypeScript."""
    match info:
        case types.StructType():
            return info.cls.__name__
        case types.LiteralType():
            return " | ".join(json.dumps(value) for value in info.values)
        case types.ListType() | types.VarTupleType():
            item = _type(info.item_type)
            return f"({item})[]" if " " in item and not item.startswith("[") else f"{item}[]"
        case types.TupleType():
            return f"[{', '.join(map(_type, info.item_types))}]"
        case types.DictType():
            return f"Record<string, {_type(info.value_type)}>"
        case types.UnionType():
            rest = [part for part in info.types if not isinstance(part, types.NoneType)]
            null = len(rest) < len(info.types) and not never_null
            return " | ".join([*(_type(part) for part in rest), *(["null"] if null else [])])
        case _:
            return _PLAIN[type(info)]


def _field_docs(kind: type) -> dict[str, str]:
    """The docstrings of the fields of a struct and its bases."""
    docs: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if base.__module__ not in (api.__name__, messages.__name__):
            continue
        tree = _classes(sys.modules[base.__module__])[base.__name__]
        for field, below in zip(tree.body, tree.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(below, ast.Expr)
                and isinstance(below.value, ast.Constant)
            ):
                docs[field.target.id] = _line(str(below.value.value))
    return docs


@cache
def _classes(module: ModuleType) -> dict[str, ast.ClassDef]:
    """The classes in the source of a module, which is parsed once for all of them."""
    tree = ast.parse(inspect.getsource(module))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def _line(text: str | None) -> str:
    return " ".join((text or "").replace("``None``", "`null`").replace("``", "`").split())


# --- The files -----------------------------------------------------------------------------------


def render(path: Path) -> str:
    """The content of a file, by its suffix: ``.json`` or ``.ts``."""
    if path.suffix == ".json":
        return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
    return typescript()


def main(arguments: Sequence[str] | None = None) -> int:
    """Write files, or check them."""
    parser = argparse.ArgumentParser(prog="python -m triomino.protocol.schema", description=__doc__)
    parser.add_argument("out", nargs="+", type=Path, help="a .json or a .ts file")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if one is stale")
    options = parser.parse_args(arguments)
    stale = []
    for path in options.out:
        if path.suffix not in (".json", ".ts"):
            parser.error(f"{path}: a .json or a .ts file is needed")
        text = render(path)
        if options.check:
            if not path.exists() or path.read_text("utf-8") != text:
                stale.append(path)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8", newline="\n")
    for path in stale:
        print(f"{path} is stale; run python -m triomino.protocol.schema {path}", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
