"""Matches as people would write them on a pad, and pads written at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from triomino import pad
from triomino.ledger import EndReason
from triomino.moves import Pass, Place
from triomino.pad import How, PadError, ScorePad
from triomino.rules import EDITIONS, Rules
from triomino.scoring import BONUSES, Left, Sum
from triomino.tile import SET_76, TILE_SETS

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from triomino import Match
    from triomino.game import Game, Ply
    from triomino.pad import Act, Entry
    from triomino.scoring import Rack
    from triomino.tile import Tile


@dataclass(frozen=True)
class Expected:
    """A line, and the totals that the record has after it."""

    entry: Entry
    totals: tuple[int, ...]
    ends: bool = False


def written(match: Match, dice: random.Random | None = None) -> Iterator[Expected]:
    """Every turn of a match as a line; with *dice*, some tiles are told by their sum only."""
    for number, game in enumerate(match.rounds):
        after = match.rounds[number + 1].start_totals if game is not match.game else match.scores
        totals = list(game.start_totals)
        draws, racks = 0, [list(rack) for rack in game.start.racks]
        for ply in game.plies:
            totals[ply.seat] += ply.points
            if ply.tile is not None:
                draws += 1
                racks[ply.seat].append(ply.tile)
            if isinstance(ply.move, Place):
                racks[ply.seat].remove(ply.move.tile)
            if ply.passes_on or ply.end:
                yield Expected(_line(ply, draws, dice), tuple(totals))
                draws = 0
        yield Expected(_end(game, racks, dice), after, ends=True)


def _line(ply: Ply, draws: int, dice: random.Random | None) -> Entry:
    if isinstance(ply.move, Place):
        tile = ply.move.tile
        by_sum = dice is not None and dice.random() < 0.5
        laid = Sum(tile.points, tile.is_triple) if by_sum else tile
        return pad.Turn(ply.seat, laid, ply.bonus, draws)
    how = How.PASS if isinstance(ply.move, Pass) else How.END
    return pad.Turn(ply.seat, None, None, draws, how)


def _end(game: Game, racks: list[list[Tile]], dice: random.Random | None) -> Entry:
    assert game.end is not None
    left: tuple[Rack, ...] = tuple(
        Left(sum(tile.points for tile in rack), len(rack))
        if dice is not None and dice.random() < 0.5
        else tuple(rack)
        for rack in game.racks
    )
    assert [sorted(map(str, rack)) for rack in racks] == [
        sorted(map(str, rack)) for rack in game.racks
    ]
    if game.end.reason is EndReason.OUT:
        return pad.Out(game.end.seats[0], left)
    assert game.end.reason is EndReason.BLOCKED
    return pad.Blocked(left)


NAMES = ["Ann", "Ben", "Zoë", "=SUM(A1:A9)", "O'Brien, Pat", 'Эва "E"', "'quoted", "-5", "李", "@x"]


def random_pad(dice: random.Random, rules: Rules | None = None, acts: int = 40) -> ScorePad:
    """A pad with all that can be written on one, sensible or not, corrected and taken back."""
    rules = rules or EDITIONS[dice.choice(sorted(EDITIONS))]
    now = ScorePad.start(rules, dice.sample(NAMES, dice.randint(1, 5)))
    while len(now.log) < acts:
        try:
            now = now.write(_random_act(dice, now))
        except PadError:
            continue
    return now


def _random_act(dice: random.Random, now: ScorePad) -> Act:
    roll = dice.random()
    if roll < 0.12:
        return pad.Undo()
    if roll < 0.2:
        return pad.Redo()
    if roll < 0.3:
        line = dice.randrange(len(now.lines))
        entries: list[Entry] = [random_entry(dice, now) for _ in range(dice.randrange(3))]
        if not line:
            entries = [pad.Setup(now.ledger.rules, now.sheet.names), *entries]
        return pad.Correct(line, tuple(entries))
    return random_entry(dice, now)


def random_entry(dice: random.Random, now: ScorePad) -> Entry:
    """A line that may or may not make sense on this pad."""
    sheet, roll = now.sheet, dice.random()
    person = dice.choice(sheet.ledger.seats)
    if roll < 0.72:
        if sheet.next is not None and dice.random() < 0.9:
            person = sheet.next
        draws = dice.choice([0, 0, 0, 1, 2, 3, 4])
        if dice.random() < 0.2:
            return pad.Turn(person, None, None, draws, dice.choice(list(How)))
        tile = dice.choice(
            TILE_SETS[sheet.ledger.rules.tile_set] if dice.random() < 0.9 else SET_76
        )
        laid = tile if dice.random() < 0.5 else Sum(tile.points, tile.is_triple)
        bonus = dice.choice(sorted(BONUSES)) if dice.random() < 0.2 else None
        return pad.Turn(person, laid, bonus, draws)
    if roll < 0.84:
        left = tuple(_random_rack(dice, sheet.ledger.rules) for _ in sheet.ledger.seats)
        return pad.Out(person, left) if dice.random() < 0.5 else pad.Blocked(left)
    if roll < 0.9:
        return pad.Extra(person, dice.randint(-100, 100))
    if roll < 0.93:
        return pad.Abandoned(dice.choice([None, person]))
    fresh = [name for name in NAMES if name not in sheet.names]
    names = [*sheet.names, *dice.sample(fresh, min(len(fresh), dice.randrange(3)))]
    seats = dice.sample(range(len(names)), dice.randint(1, len(names)))
    return pad.Players(tuple(names), tuple(seats))


def _random_rack(dice: random.Random, rules: Rules) -> Rack:
    if dice.random() < 0.3:  # so that some are equal
        return Left(dice.choice([3, 8]), dice.choice([1, 2]))
    rack = tuple(dice.sample(TILE_SETS[rules.tile_set], dice.randrange(5)))
    if dice.random() < 0.5:
        return rack
    points = sum(tile.points for tile in rack)
    return Left(points, dice.choice([None, len(rack), len(rack)]))
