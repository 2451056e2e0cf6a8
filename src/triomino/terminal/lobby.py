"""Setting up a session: from the options of a command, or by asking two questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from triomino.bots import make_bot
from triomino.dice import Rng
from triomino.errors import RecordError, TriominoError
from triomino.fair import Seeds
from triomino.match import Match
from triomino.terminal.language import words_for
from triomino.terminal.narrator import Narrator
from triomino.terminal.ruleset import rules_from
from triomino.terminal.saves import Save, read_save, unfinished
from triomino.terminal.seats import (
    UnsuitedError,
    choice_text,
    choices_for,
    read_choice,
    read_names,
    read_seats,
)
from triomino.terminal.session import Session
from triomino.terminal.table import Table

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.bots import Bot
    from triomino.match import Player
    from triomino.rules import Rules, Seat
    from triomino.terminal.session import Window
    from triomino.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """The options of ``triomino play``; ``None`` where one is not given."""

    edition: str | None = None
    players: int | None = None
    seats: str | None = None
    target: int | None = None
    rules: Path | None = None
    settings: list[str] | None = None
    seed: int | None = None
    save: Path | None = None
    resume: Path | None = None
    language: str | None = None

    @property
    def of_a_match(self) -> list[str]:
        """The given options that describe a match; with any of them nothing is asked."""
        given = {
            "--edition": self.edition,
            "--players": self.players,
            "--seats": self.seats,
            "--target": self.target,
            "--rules": self.rules,
            "--set": self.settings or None,
            "--seed": self.seed,
        }
        return [name for name, value in given.items() if value is not None]


def open_session(options: PlayOptions, window: Window) -> Session:
    """Return a session as the options describe it; without any, ask."""
    words = words_for(options.language)
    if options.resume is not None:
        return _resumed(options, options.resume, window, words)
    # Refuse a file that cannot be used before asking anything.
    save = None if options.save is None else Save.at(options.save)
    if options.of_a_match:
        rules = rules_from(options.edition, options.rules, options.settings, options.target)
        dice = None if options.seed is None else Rng.named("names", options.seed)
        people = read_seats(options.seats, options.players, rules, words.say("you"), dice)
    else:
        found = unfinished() if save is None else None
        if found is not None and _goes_on(*found, window, words):
            match, save = found
            return _session(match, window, save, None, words)
        people = _ask_names(window, words)
        rules = _ask_game(window, len(people), words)
    return _begin(rules, people, options, window, save, words=words)


def _begin(
    rules: Rules,
    people: list[Player],
    options: PlayOptions,
    window: Window,
    save: Save | None,
    *,
    words: Words,
) -> Session:
    seed = options.seed
    seeds = None if seed is None else Seeds.named(len(people), "play", seed)
    match = Match.start(rules, people, seeds)
    trouble = ""
    if save is None:
        try:
            save = Save.new()
        except OSError as error:
            # A match can be played where nothing can be saved.
            trouble = words.say("cli.save.impossible", reason=error.strerror or str(error))
    else:
        _first_save(save, match)
    session = _session(match, window, save, seed, words)
    session.trouble = trouble
    return session


def _resumed(options: PlayOptions, path: Path, window: Window, words: Words) -> Session:
    if options.of_a_match:
        raise TriominoError(
            f"--resume goes on with the match as it is; leave out {options.of_a_match[0]}"
        )
    match, save = read_save(path)
    if options.save is not None:
        save = Save.at(options.save)
        _first_save(save, match)
    return _session(match, window, save, None, words)


def _first_save(save: Save, match: Match) -> None:
    """Write the match to a file the user named; refuse one that cannot be written."""
    try:
        save.keep(match)
    except OSError as error:
        reason = error.strerror or str(error)
        raise TriominoError(f"{save.path} cannot be written: {reason}") from error


def _session(
    match: Match, window: Window, save: Save | None, seed: int | None, words: Words
) -> Session:
    bots: dict[Seat, Bot] = {}
    for seat, player in enumerate(match.players):
        if player.bot is not None:
            dice = Rng.named("bot", *_chance(match, seed), seat)
            try:
                bots[seat] = make_bot(player.bot, dice)
            except TriominoError as error:
                place = f"players[{seat}].bot"
                raise RecordError(f"{save.path}, {place}" if save else place, str(error)) from error
    return Session(Table(match, bots, words=words), window, save)


def _chance(match: Match, seed: int | None) -> tuple[object, ...]:
    """Return what seeds the bots' generators: the given seed, else a secret and the plies."""
    if seed is not None:
        return "play", seed
    secret = match.seeds or Seeds.fresh(len(match.players))
    return secret.server, sum(len(game.plies) for game in match.rounds)


# --- Questions -----------------------------------------------------------------------------------


def _goes_on(match: Match, save: Save, window: Window, words: Words) -> bool:
    """Ask whether to go on with an unfinished match."""
    narrator = Narrator(words)
    shown = words.say(
        "cli.lobby.unfinished",
        names=narrator.names(match.players),
        edition=words.say(f"edition.{match.rules.edition}"),
        number=len(match.rounds),
    )
    window.show([Text(shown), *filter(None, [Text(narrator.totals(match))])])
    while True:
        answer = window.ask(f"{words.say('cli.lobby.goOn')} ").strip().lower()
        if answer in ("", "y", "yes"):
            return True
        if answer in ("n", "no", "new"):
            stays = words.say("cli.save.stays", path=str(save.path))
            window.show([Text(stays, no_wrap=True)])
            return False


def _ask_names(window: Window, words: Words) -> list[Player]:
    window.show(Text(words.say(f"cli.lobby.{name}")) for name in ("who", "whoNames"))
    while True:
        try:
            return read_names(window.ask(f"{words.say('cli.lobby.players')} "), words.say("you"))
        except TriominoError as error:
            window.show([Text(_sentence(error, words))])


def _ask_game(window: Window, players: int, words: Words) -> Rules:
    choices = choices_for(players)
    if len(choices) == 1:
        return choices[0]
    window.show([Text(words.say("cli.lobby.game"))])
    window.show(
        Text(f"  {number} {choice_text(rules, words)}") for number, rules in enumerate(choices, 1)
    )
    while True:
        try:
            return read_choice(window.ask(f"{words.say('cli.lobby.number')} "), choices)
        except TriominoError as error:
            window.show([Text(_sentence(error, words))])


def _sentence(error: Exception, words: Words) -> str:
    if isinstance(error, UnsuitedError):
        return words.say(error.key, **error.values)
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
