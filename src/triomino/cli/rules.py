"""``triomino rules``: the rules that are played, in words and as data."""

from __future__ import annotations

from triomino.cli.options import (
    AsJson,
    Edition,
    Language,
    RulesFile,
    Settings,
    Target,
)
from triomino.terminal.language import words_for
from triomino.terminal.output import print_json
from triomino.terminal.rulebook import print_rules
from triomino.terminal.ruleset import rules_from


def rules(
    *,
    edition: Edition = None,
    target: Target = None,
    rules: RulesFile = None,
    settings: Settings = None,
    language: Language = None,
    as_json: AsJson = False,
) -> None:
    """Print the rules of an edition, with your house rules in them.

    Every number in the text comes from the rules themselves; what differs from the edition is
    marked. After the text come all fields, as you write them in a house-rules file or after
    --set.

    For example:

        triomino rules --edition card --language fr

        triomino rules --set bridge_rule=three_corners --set draw_cost=10
    """
    wanted = rules_from(edition, rules, settings, target)
    if as_json:
        print_json(wanted.to_json())
    else:
        print_rules(wanted, words_for(language))
