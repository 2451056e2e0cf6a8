"""Everything in which one edition differs from another, as one frozen value.

Game code reads fields such as ``rules.draw_cost`` and never asks for the edition. A house rule is
one more ``replace``.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import partial
from typing import Any, Final, TypeAlias

from triomino.errors import RulesError, nearest
from triomino.tile import TILE_SETS, Tile

Json: TypeAlias = dict[str, Any]

Seat: TypeAlias = int
"""A player's place at the table: 0, 1, … clockwise."""


class TileSet(StrEnum):
    """The set of tiles; the small sets use fewer numbers and are for study."""

    SET_56 = "56"
    SET_76 = "76"
    SET_4 = "4"
    SET_10 = "10"
    SET_20 = "20"
    SET_35 = "35"
    SET_11 = "11"
    SET_24 = "24"
    SET_45 = "45"


class Piece(StrEnum):
    """The word for a tile in texts; no rule depends on it."""

    TILE = "tile"
    CARD = "card"


class RoundWonBy(StrEnum):
    """Who wins a single round: the highest score, or the player who ended it."""

    POINTS = "points"
    ENDING = "ending"


class Starter(StrEnum):
    """How the starter of a round is found."""

    DRAW_HIGH = "draw_high"
    HIGHEST_TRIPLE = "highest_triple"


class StartRedraw(StrEnum):
    """Who draws again when the draw for the start is tied."""

    TIED_HIGHEST = "tied_highest"
    ALL = "all"


class NextStarter(StrEnum):
    """Who starts the rounds after the first."""

    SET_UP = "set_up"
    ROTATE_LEFT = "rotate_left"
    ROUND_WINNER = "round_winner"


class StartTie(StrEnum):
    """Which of two equally high tiles starts."""

    CORNERS = "corners"
    NEXT_HIGHEST = "next_highest"
    SEAT_ORDER = "seat_order"
    REDEAL = "redeal"


class PlacementSum(StrEnum):
    """Which placements score the sum of the tile."""

    ALL = "all"
    STARTER_ONLY = "starter_only"
    NONE = "none"


class BridgeRule(StrEnum):
    """What counts as a bridge."""

    STRICT = "strict"
    ONE_FREE_SIDE = "one_free_side"
    THREE_CORNERS = "three_corners"
    APEX_CONTACT = "apex_contact"


class BonusStacking(StrEnum):
    """Whether a hexagon replaces a bridge or is added to it."""

    EXCLUSIVE = "exclusive"
    ADDITIVE = "additive"


class ExtraWhen(StrEnum):
    """When the extra penalty for not placing is due."""

    IF_UNPLACED = "if_unplaced"
    ON_LAST_DRAW = "on_last_draw"


class VoluntaryDraw(StrEnum):
    """Whether a player who can place may draw instead."""

    FIRST_ONLY = "first_only"
    NEVER = "never"
    ALWAYS = "always"


class AfterDrawPlay(StrEnum):
    """Which tiles may be placed after drawing."""

    ANY = "any"
    DRAWN_ONLY = "drawn_only"


class DrawObligation(StrEnum):
    """How long a player who cannot place has to keep drawing."""

    UNTIL_PLAYABLE_OR_MAX = "until_playable_or_max"
    ONE_THEN_OPTIONAL = "one_then_optional"


class EmptyPoolPass(StrEnum):
    """Whether a player who can place may pass once the pool is empty."""

    ONLY_IF_UNABLE = "only_if_unable"
    VOLUNTARY = "voluntary"


class Blocked(StrEnum):
    """How a blocked round is settled."""

    SUBTRACT_OWN = "subtract_own"
    LOWEST_TAKES_OTHERS = "lowest_takes_others"
    FEWEST_TILES = "fewest_tiles"
    LOWEST_TAKES_OTHERS_MINUS_OWN = "lowest_takes_others_minus_own"
    LOWEST_TAKES_DIFFERENCES = "lowest_takes_differences"
    FEWEST_TILES_TAKES_OTHERS = "fewest_tiles_takes_others"


class BlockedTie(StrEnum):
    """What equally low racks receive from a blocked round."""

    EACH = "each"
    LOSERS_ONLY = "losers_only"
    NONE = "none"
    FEWEST_TILES = "fewest_tiles"


class BlockedWhen(StrEnum):
    """When a round counts as blocked."""

    POOL_EMPTY_NOBODY_ABLE = "pool_empty_nobody_able"
    ALL_PASS = "all_pass"  # noqa: S105 - no password


class TargetTest(StrEnum):
    """Whether the target has to be exceeded or reached."""

    EXCEED = ">"
    REACH = ">="


class TargetLatch(StrEnum):
    """When the target is tested."""

    ANY_MOMENT = "any_moment"
    ROUND_END = "round_end"


class FinalRound(StrEnum):
    """Which round is the last once the target is met."""

    CURRENT = "current"
    NEXT = "next"


class MatchTie(StrEnum):
    """How equal totals at the end of a match are resolved."""

    SHARED = "shared"
    EXTRA_ROUND = "extra_round"
    WENT_OUT_LAST = "went_out_last"


NOT_BUILT: Final = frozenset(
    {
        StartTie.NEXT_HIGHEST,
        StartTie.SEAT_ORDER,
        StartTie.REDEAL,
        BonusStacking.ADDITIVE,
        FinalRound.NEXT,
        MatchTie.WENT_OUT_LAST,
    }
)
"""Values that are named but not implemented; they are refused."""


@dataclass(frozen=True, slots=True, eq=False)
class Racks(Mapping[int, int]):
    """The number of tiles dealt to each player, by the number of players; immutable.

    >>> Racks.of({3: 7, 2: 9})[2]
    9
    """

    sizes: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, sizes: Mapping[int, int]) -> Racks:
        """Return the racks of any mapping."""
        return cls(tuple(sorted(sizes.items())))

    def __hash__(self) -> int:
        return hash(self.sizes)

    def __getitem__(self, players: int) -> int:
        for count, size in self.sizes:
            if count == players:
                return size
        raise KeyError(players)

    def __iter__(self) -> Iterator[int]:
        return (count for count, _ in self.sizes)

    def __len__(self) -> int:
        return len(self.sizes)


# --- Reading one field ---------------------------------------------------------------------------
#
# A reader takes a value from TOML, JSON or Python and returns the field's value, or raises
# RulesError with the reason alone; _read_field prefixes the name of the field.


def _number(value: object, *, least: int = 0, most: int = 9999) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise RulesError(f"{value!r} is no whole number from {least} to {most}")
    return value


def _number_or_none(value: object, *, least: int = 0, most: int = 9999) -> int | None:
    # TOML and the command line have no null.
    return None if value is None or value == "none" else _number(value, least=least, most=most)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise RulesError(f"{value!r} is neither true nor false")
    return value


def _choice(kind: type[StrEnum], value: object) -> StrEnum:
    text = str(value)
    known = [member.value for member in kind]
    if text not in known or isinstance(value, bool):
        raise RulesError(f"unknown value {text!r}; {nearest(text, known)}")
    if kind(text) in NOT_BUILT:
        raise RulesError(f"{text!r} is not built yet")
    return kind(text)


def _bonuses(value: object) -> tuple[int, int, int]:
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise RulesError(f"{value!r} is no list of three numbers like [50, 60, 70]")
    one, two, three = (_number(item) for item in value)
    return one, two, three


def _racks(value: object) -> Racks:
    if not isinstance(value, Mapping) or not value:
        raise RulesError(f"{value!r} is no map of players to tiles like {{2 = 9, 3 = 7}}")
    sizes = {}
    for players, size in value.items():
        text = str(players)
        if text not in {"2", "3", "4", "5", "6"}:
            raise RulesError(f"{text!r} players; a round has 2 to 6")
        sizes[int(text)] = _number(size, least=1, most=38)
    return Racks.of(sizes)


def _edition(value: object) -> str:
    if not isinstance(value, str) or value not in EDITIONS:
        raise RulesError(f"unknown value {value!r}; {nearest(str(value), EDITIONS)}")
    return value


def _field(default: Any, read: Callable[[Any], Any] | type[StrEnum]) -> Any:
    """Declare a field of ``Rules`` with the function that reads it."""
    if isinstance(read, type):
        read = partial(_choice, read)
    return field(default=default, metadata={"read": read})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of a game. The defaults are the classic edition.

    >>> Rules.read({"edition": "card", "target": 100}).target
    100
    >>> replace(CLASSIC, bridge_rule=BridgeRule.THREE_CORNERS).changes
    {'edition': 'classic', 'bridge_rule': 'three_corners'}
    """

    edition: str = _field("classic", _edition)
    tile_set: TileSet = _field(TileSet.SET_56, TileSet)
    piece: Piece = _field(Piece.TILE, Piece)
    round_won_by: RoundWonBy = _field(RoundWonBy.POINTS, RoundWonBy)
    racks: Racks = _field(Racks.of({2: 9, 3: 7, 4: 7}), _racks)
    starter: Starter = _field(Starter.DRAW_HIGH, Starter)
    start_redraw: StartRedraw = _field(StartRedraw.TIED_HIGHEST, StartRedraw)
    next_starter: NextStarter = _field(NextStarter.SET_UP, NextStarter)
    opening_draw: bool = _field(False, _flag)
    starter_free_choice: bool = _field(True, _flag)
    triple_start_bonus: int = _field(0, _number)
    triple_zero_start: int | None = _field(None, _number_or_none)
    start_tie: StartTie = _field(StartTie.CORNERS, StartTie)
    scoring: bool = _field(True, _flag)
    placement_sum: PlacementSum = _field(PlacementSum.ALL, PlacementSum)
    bridge_rule: BridgeRule = _field(BridgeRule.STRICT, BridgeRule)
    bridge_bonus: int = _field(40, _number)
    hexagon_bonuses: tuple[int, int, int] = _field((50, 60, 70), _bonuses)
    bonus_stacking: BonusStacking = _field(BonusStacking.EXCLUSIVE, BonusStacking)
    draw_cost: int = _field(5, _number)
    max_draws: int = _field(3, partial(_number, least=1, most=76))
    draw_ends_turn: bool = _field(False, _flag)
    no_play_extra: int = _field(10, _number)
    no_play_extra_when: ExtraWhen = _field(ExtraWhen.IF_UNPLACED, ExtraWhen)
    voluntary_draw: VoluntaryDraw = _field(VoluntaryDraw.FIRST_ONLY, VoluntaryDraw)
    after_draw_play: AfterDrawPlay = _field(AfterDrawPlay.ANY, AfterDrawPlay)
    must_place_after_last_draw: bool = _field(True, _flag)
    may_keep: bool = _field(False, _flag)
    draw_obligation: DrawObligation = _field(DrawObligation.UNTIL_PLAYABLE_OR_MAX, DrawObligation)
    empty_pool_pass: EmptyPoolPass = _field(EmptyPoolPass.ONLY_IF_UNABLE, EmptyPoolPass)
    empty_pool_penalty: int = _field(0, _number)
    out_bonus: int = _field(25, _number)
    out_takes_opponents: bool = _field(True, _flag)
    blocked: Blocked = _field(Blocked.SUBTRACT_OWN, Blocked)
    blocked_tie: BlockedTie = _field(BlockedTie.EACH, BlockedTie)
    blocked_when: BlockedWhen = _field(BlockedWhen.POOL_EMPTY_NOBODY_ABLE, BlockedWhen)
    floor_at_zero: bool = _field(False, _flag)
    target: int | None = _field(None, partial(_number_or_none, least=1, most=1_000_000))
    target_test: TargetTest = _field(TargetTest.EXCEED, TargetTest)
    target_latch: TargetLatch = _field(TargetLatch.ANY_MOMENT, TargetLatch)
    final_round: FinalRound = _field(FinalRound.CURRENT, FinalRound)
    match_tie: MatchTie = _field(MatchTie.SHARED, MatchTie)

    @classmethod
    def read(cls, data: object) -> Rules:
        """Read the name of an edition, or a table with ``edition`` and what differs from it.

        Raises :class:`RulesError`, which suggests the nearest known name or value.
        """
        if isinstance(data, str):
            data = {"edition": data}
        if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
            raise RulesError("an edition's name or a table of rules is needed")
        edition = _read_field("edition", data.get("edition", "classic"))
        rest = {name: value for name, value in data.items() if name != "edition"}
        return EDITIONS[edition].with_changes(rest)

    @classmethod
    def from_json(cls, data: object) -> Rules:
        """Read what :meth:`to_json` returned; every field is required, so no default applies."""
        if not isinstance(data, Mapping):
            raise RulesError("every rule is needed, in one object")
        rules = cls.read(data)
        missing = [name for name in _FIELDS if name not in data]
        if missing:
            raise RulesError(f"every rule is needed; missing: {', '.join(missing)}")
        return rules

    def to_json(self) -> Json:
        """Return every field as plain data, independent of later changes to the editions."""
        return {name: plain_value(getattr(self, name)) for name in _FIELDS}

    @classmethod
    def from_toml(cls, text: str, edition: str = "classic") -> Rules:
        """Read the text of a house-rule file; *edition* applies if it names none."""
        try:
            data = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise RulesError(f"this is not TOML: {error}") from error
        return cls.read({"edition": edition, **data})

    def with_changes(self, changes: Mapping[str, object]) -> Rules:
        """Return these rules with some fields changed and checked.

        The edition cannot be changed: it is what the other fields start from.
        """
        if changes.get("edition", self.edition) != self.edition:
            raise RulesError(f"edition: these rules start from {self.edition}; choose it first")
        read = {name: _read_field(name, value) for name, value in changes.items()}
        return replace(self, **read)._checked()

    def with_settings(self, settings: list[str]) -> Rules:
        """Return these rules with changes written ``name=value``, as on a command line.

        >>> CLASSIC.with_settings(["hexagon_bonuses=[50, 100, 150]"]).hexagon_bonuses
        (50, 100, 150)
        """
        changes: dict[str, object] = {}
        for setting in settings:
            name, equals, text = setting.partition("=")
            if not equals:
                raise RulesError(f"{setting!r} is no setting; write one like bridge_bonus=40")
            changes[name.strip()] = _value(text.strip())
        return self.with_changes(changes)

    @property
    def changes(self) -> Json:
        """The edition and every field that differs from it, in the form of a house-rule file."""
        base = EDITIONS[self.edition]
        out: Json = {"edition": self.edition}
        for item in fields(self):
            value = getattr(self, item.name)
            if value != getattr(base, item.name):
                out[item.name] = plain_value(value)
        return out

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles of the set, in ascending order."""
        return TILE_SETS[self.tile_set]

    @property
    def speaks_of_cards(self) -> bool:
        """Whether texts say card, hand and stack instead of tile, rack and pool."""
        return self.piece is Piece.CARD

    @property
    def has_mirror_images(self) -> bool:
        """Whether the set has pairs of tiles that are mirror images of each other."""
        return any(not tile.a <= tile.b <= tile.c for tile in self.tiles)

    @property
    def wins_by_ending(self) -> bool:
        """Whether a single round goes to the player who ended it; always so without scoring."""
        return self.round_won_by is RoundWonBy.ENDING or not self.scoring

    @property
    def plays_out_passes(self) -> bool:
        """Whether players pass one by one at the end: if a pass costs points or is voluntary."""
        return self.empty_pool_penalty > 0 or self.empty_pool_pass is EmptyPoolPass.VOLUNTARY

    def check_players(self, players: int) -> None:
        """Raise :class:`RulesError` unless the rules allow this number of players."""
        if players not in self.racks:
            allowed = ", ".join(map(str, self.racks))
            raise RulesError(
                f"player count: {self.edition} is for {allowed} players, not {players}"
            )

    def _checked(self) -> Rules:
        # The draw for the start has to end, so it needs tiles of different values.
        alike = max(Counter(tile.points for tile in self.tiles).values())
        draws = self.starter is Starter.DRAW_HIGH
        for players, size in self.racks.items():
            needed = players * size + (players + alike - 1 if draws else 0)
            if needed > len(self.tiles):
                raise RulesError(
                    f"racks: {players} players with {size} tiles each need {needed} tiles,"
                    f" the set has {len(self.tiles)}"
                )
        return self


_FIELDS: Final = {item.name: item for item in fields(Rules)}


def _read_field(name: str, value: object) -> Any:
    if name not in _FIELDS:
        raise RulesError(f"unknown rule {name!r}; {nearest(name, _FIELDS)}")
    try:
        return _FIELDS[name].metadata["read"](value)
    except RulesError as error:
        raise RulesError(f"{name}: {error}") from None


def _value(text: str) -> object:
    """Parse a command-line value as TOML, or return it as it is."""
    try:
        table = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    return table["value"] if len(table) == 1 else text


def plain_value(value: object) -> object:
    """Return the value of a field as JSON and TOML represent it."""
    if isinstance(value, Racks):
        return {str(players): size for players, size in value.items()}
    if isinstance(value, tuple):
        return list(value)
    return value.value if isinstance(value, StrEnum) else value


CLASSIC: Final = Rules()

CLASSIC_HEBREW: Final = replace(
    CLASSIC,
    edition="classic-hebrew",
    no_play_extra_when=ExtraWhen.ON_LAST_DRAW,
    target_test=TargetTest.REACH,
)

SIX_PLAYER: Final = replace(
    CLASSIC,
    edition="six-player",
    tile_set=TileSet.SET_76,
    racks=Racks.of({2: 9, 3: 7, 4: 7, 5: 6, 6: 6}),
)

CARD: Final = replace(
    CLASSIC,
    edition="card",
    piece=Piece.CARD,
    round_won_by=RoundWonBy.ENDING,
    starter=Starter.HIGHEST_TRIPLE,
    starter_free_choice=False,
    triple_start_bonus=10,
    triple_zero_start=40,
    placement_sum=PlacementSum.STARTER_ONLY,
    draw_cost=0,
    no_play_extra=0,
    voluntary_draw=VoluntaryDraw.NEVER,
    must_place_after_last_draw=False,
    may_keep=True,
    blocked=Blocked.LOWEST_TAKES_OTHERS,
    target=200,
    target_test=TargetTest.REACH,
    target_latch=TargetLatch.ROUND_END,
)

CASUAL: Final = replace(
    CLASSIC,
    edition="casual",
    round_won_by=RoundWonBy.ENDING,
    scoring=False,
    placement_sum=PlacementSum.NONE,
    draw_cost=0,
    max_draws=1,
    draw_ends_turn=True,
    no_play_extra=0,
    voluntary_draw=VoluntaryDraw.NEVER,
    must_place_after_last_draw=False,
    out_bonus=0,
    out_takes_opponents=False,
    blocked=Blocked.FEWEST_TILES,
    # A series of casual rounds counts rounds won; the target is the number needed.
    target_test=TargetTest.REACH,
    target_latch=TargetLatch.ROUND_END,
)

EDITIONS: Final[dict[str, Rules]] = {
    rules.edition: rules for rules in (CLASSIC, CLASSIC_HEBREW, SIX_PLAYER, CARD, CASUAL)
}
