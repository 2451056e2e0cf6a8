"""The protocol as others read it: its page, its schema, its TypeScript types."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import jsonschema_rs
import msgspec
import pytest

import triomino.server
from tests.server.harness import in_loop, serving, table_of_two
from triomino.errors import Why
from triomino.moves import parse_move
from triomino.protocol import api, people, play_now, schema
from triomino.protocol.messages import PROTOCOL_VERSION, ClientMessage, ServerMessage
from triomino.server.config import Config
from triomino.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
EXAMPLES = [(kind, text) for language, kind, text in BLOCKS if language == "json"]
SOURCE = Path(triomino.server.__file__).parent


def kind_of(name: str) -> Any:
    return {"client": ClientMessage, "server": ServerMessage}.get(name) or next(
        getattr(module, name) for module in (api, people, play_now) if hasattr(module, name)
    )


# --- The page ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "text"), EXAMPLES)
def test_an_example_of_the_page_is_what_it_says(kind: str, text: str) -> None:
    decoded = msgspec.json.decode(text, type=kind_of(kind))

    def look(given: Any, read: Any, where: str) -> None:
        # A name that is misspelt would be passed over by the decoder, and be missing here.
        if isinstance(given, dict):
            for name, value in given.items():
                assert name in read, f"{where}.{name}"
                look(value, read[name], f"{where}.{name}")
        elif isinstance(given, list):
            for index, value in enumerate(given):
                look(value, read[index], f"{where}[{index}]")
        else:
            assert given == read, where

    look(json.loads(text), json.loads(msgspec.json.encode(decoded)), kind)


def test_the_page_has_an_example_of_everything() -> None:
    said = {type(msgspec.json.decode(t, type=ClientMessage)) for k, t in EXAMPLES if k == "client"}
    heard = {type(msgspec.json.decode(t, type=ServerMessage)) for k, t in EXAMPLES if k == "server"}
    assert said == set(get_args(ClientMessage))
    assert heard == set(get_args(ServerMessage))
    bodies = {kind for kind, _ in EXAMPLES} - {"client", "server"}
    assert bodies == {kind.__name__ for kind in (*schema.REQUESTS, *schema.ANSWERS)} - {"Device"}


def test_moves_and_tiles_of_the_examples_can_be_read() -> None:
    def look(value: object, key: str = "") -> Iterator[str]:
        if isinstance(value, dict):
            for name, part in value.items():
                yield from look(part, name)
        elif isinstance(value, list):
            for part in value:
                yield from look(part, key)
        elif isinstance(value, str):
            if key == "move":
                yield str(parse_move(value))
            if key in ("tile", "1") or (key == "start_draws"):
                yield str(Tile.parse(value))

    found = [text for _, example in EXAMPLES for text in look(json.loads(example))]
    assert len(found) > 15


def test_the_page_names_every_setting_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", PAGE, re.MULTILINE))
    assert len(rows) >= 7
    config = Config(data="")
    for name, value in rows.items():
        assert float(value) == getattr(config, name), name


def codes_of_the_server() -> set[str]:
    """Every code that the server's source can answer with."""
    codes = {"origin", "too_fast", "malformed"} | {
        f"is_{state}" for state in ("open", "opening", "playing", "finished", "closed")
    }
    for path in SOURCE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name in ("RefusedError", "Problem", "_refuse"):
                    codes |= {
                        arg.value
                        for arg in node.args
                        if isinstance(arg, ast.Constant)
                        and isinstance(arg.value, str)
                        and re.fullmatch(r"[a-z_]+", arg.value)
                    }
    return codes


def test_the_page_lists_every_code() -> None:
    section = PAGE.partition("\n## Codes\n")[2].partition("\n## ")[0]
    intro, _, table = section.partition("| code | why |")
    listed = set(re.findall(r"`(\w+)`", intro))
    assert listed == {why.value for why in Why}
    first_cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    assert set(re.findall(r"`(\w+)`", " ".join(first_cells))) == codes_of_the_server()


def test_the_page_lists_every_call() -> None:
    calls = set(re.findall(r"`(GET|POST|PUT|DELETE) (/[^`]*)`", PAGE.partition("## Playing")[0]))
    names = "app pads club_routes analyses health previews push_requests rating_routes"
    names += " people_routes sign_in_routes decency_routes host_routes"
    source = "".join((SOURCE / f"{name}.py").read_text("utf-8") for name in names.split())
    routes = {
        (method.upper(), re.sub(r"{\w+_id}", "{id}", re.sub(r":\w+}", "}", path)))
        for method, path in re.findall(r'@(get|post|put|delete)\(\s*"(/[^"]+)"', source)
    }
    routes = {(method, path) for method, path in routes if path.startswith(("/api", "/h", "/m"))}
    assert calls == routes


async def output_of(program: str, url: str) -> str:
    """What a program prints that is called with the address of a server."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, url),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, err.decode()
    return out.decode()


@in_loop
async def test_the_bot_of_the_tutorial_plays(tmp_path: Path) -> None:
    tutorial = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    [program] = re.findall(
        r"^```python\n(import asyncio\n.*?)^```$", tutorial, re.MULTILINE | re.DOTALL
    )
    async with serving(tmp_path) as served:
        *_, scores = (await output_of(program, served.url)).splitlines()
    assert len(json.loads(scores)) == 2


@in_loop
async def test_the_bot_of_the_page_plays(tmp_path: Path) -> None:
    [program] = [text for language, _, text in BLOCKS if language == "python"]
    assert len([line for line in program.splitlines() if line.strip()]) <= 25

    async with serving(tmp_path) as served:
        # Against the bot of the server, at a table of its own.
        scores = json.loads(await output_of(program, served.url))
        assert len(scores) == 2
        # And at a table where somebody waits.
        ann = served.player()
        seats = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]
        table = await ann.create(seats, listed=True, rules={"racks": {"2": 3}})
        running = asyncio.create_task(output_of(program, served.url))
        await ann.enter(table)
        await ann.until(lambda: ann.state is not None and ann.state.seats[1].name == "My bot")
        await ann.start(table)
        while not ann.finished:
            if ann.choices:
                await ann.move(ann.choices[0].move)
            else:
                await ann.next_change()
        assert ann.state is not None
        assert ann.state.result is not None
        assert json.loads(await running) == ann.state.result.scores


# --- The schema ----------------------------------------------------------------------------------


def test_the_schema_takes_the_examples_and_nothing_else() -> None:
    whole = schema.json_schema()

    def validator(name: str) -> Any:
        return jsonschema_rs.validator_for({**whole, "anyOf": [{"$ref": f"#/$defs/{name}"}]})

    names = {"client": "ClientMessage", "server": "ServerMessage"}
    for kind, text in EXAMPLES:
        example, check = json.loads(text), validator(names.get(kind, kind))
        assert check.is_valid(example), text
        assert not check.is_valid({**example, "type": "fly"}) or kind not in names
    check = validator("ClientMessage")
    assert not check.is_valid({"type": "move", "move": "draw", "ply": 1})
    assert not check.is_valid({"type": "move", "move": "draw", "ply": -1, "id": 1})
    assert not check.is_valid({"type": "ping", "more": 1})
    assert not validator("TableOptions").is_valid({"seats": [{"kind": "here"}]})


@in_loop
async def test_what_the_server_says_is_in_the_schema(tmp_path: Path) -> None:
    whole = schema.json_schema()
    heard = jsonschema_rs.validator_for({**whole, "anyOf": [{"$ref": "#/$defs/ServerMessage"}]})
    body = jsonschema_rs.validator_for({**whole, "anyOf": [{"$ref": "#/$defs/TableSummary"}]})
    async with serving(tmp_path) as served:
        two = await table_of_two(served, rules={"racks": {"2": 3}}, clock_seconds=60)
        wires = [await two.wire(0), await two.wire(1), await two.wire()]
        for _ in range(3):
            wire = wires[two.game.turn]
            move = str(two.game.legal_moves()[-1])
            await wire.ask(type="move", move=move, ply=two.ply)
        await wires[0].ask(type="undo", ply=two.ply, seat=two.game.plies[-1].seat)
        await wires[1].ask(type="undo", ply=two.ply)
        await wires[2].ask(type="undo", ply=two.ply)
        await wires[0].say(type="react", sign="wow")
        while not two.game.over:
            wire = wires[two.game.turn]
            move = str(two.game.legal_moves()[0])
            await wire.ask(type="move", move=move, ply=two.ply)
        for wire in wires:
            await wire.settle()
            for data in wire.heard:
                assert heard.is_valid(json.loads(data)), data
        kinds = {json.loads(data)["type"] for wire in wires for data in wire.heard}
        assert kinds >= {"state", "moved", "ack", "refused", "presence", "reaction", "pong"}
        answer = await served.get(f"/api/tables/{two.table}")
        assert body.is_valid(answer.json())


# --- TypeScript ----------------------------------------------------------------------------------


TYPESCRIPT = schema.typescript()


def test_typescript_has_every_message_and_tells_them_by_type() -> None:
    text = TYPESCRIPT
    for kind in (*get_args(ClientMessage), *get_args(ServerMessage)):
        tag = kind.__struct_config__.tag
        assert f'export interface {kind.__name__} {{\n  type: "{tag}";\n' in text
        assert f"  | {kind.__name__}" in text
    for body in (*schema.REQUESTS, *schema.ANSWERS):
        assert f"export interface {body.__name__} {{" in text
    assert text.count("export interface") == len(set(re.findall(r"interface (\w+)", text)))


@pytest.mark.parametrize(
    "line",
    [
        "  seat?: number | null;",  # a client may leave it out, or say null
        "  remaining?: number;",  # the server leaves it out, and never says null
        "  substitute: string | null;",  # it is always there
        "  racks?: Record<string, string[]>;",
        "  start_draws: [number, string][];",
        '  help?: "none" | "places" | "points";',
        "  seats: SeatPlan[];",
        "  choices?: Choice[];",
        "  end: EndInfo | null;",
        "  rules: Record<string, unknown>;",
        "  agree: boolean;",
        '  state: "closed" | "finished" | "open" | "opening" | "playing";',
        "  /** The drawn tile; only its owner sees it. */",
        "/** The legal moves, if a seat of the receiver is to move. */",
    ],
)
def test_typescript_says(line: str) -> None:
    assert line in TYPESCRIPT


# --- The files -----------------------------------------------------------------------------------

FILES = [ROOT / "docs" / "protocol.schema.json", ROOT / "web" / "src" / "protocol.d.ts"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_generated_files_are_fresh(path: Path) -> None:
    assert path.read_text("utf-8") == schema.render(path), (
        "write it anew: python -m triomino.protocol.schema"
        " docs/protocol.schema.json web/src/protocol.d.ts"
    )


def test_the_command_writes_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(tmp_path / "deep" / "a.json"), str(tmp_path / "a.d.ts")]
    assert schema.main(["--check", *paths]) == 1
    assert schema.main(paths) == 0
    assert schema.main(["--check", *paths]) == 0
    assert json.loads(Path(paths[0]).read_text("utf-8"))["$defs"]["Ack"]
    Path(paths[1]).write_text("// old", "utf-8")
    capsys.readouterr()
    assert schema.main(["--check", *paths]) == 1
    said = capsys.readouterr().err
    assert "a.d.ts is stale" in said
    assert "a.json" not in said
    assert Path(paths[1]).read_text("utf-8") == "// old"
    with pytest.raises(SystemExit):
        schema.main([str(tmp_path / "a.txt")])


def test_the_page_speaks_this_protocol() -> None:
    text = (ROOT / "web" / "src" / "lib" / "net" / "protocolVersion.ts").read_text("utf-8")
    assert f"PROTOCOL = {PROTOCOL_VERSION};" in text
    assert f"protocol **{PROTOCOL_VERSION}**" in (ROOT / "docs" / "protocol.md").read_text("utf-8")
