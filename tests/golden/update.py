"""Write golden games, order of moves and perft counts anew: ``python -m tests.golden.update``.

Run it only when the rules or a format were changed on purpose, and read the difference.
"""

from __future__ import annotations

from pathlib import Path

from tests.perft.cases import CASES, FOLDER, counted
from tests.play import random_game
from triomino import EDITIONS, write_record
from triomino.bots import simulate_match

HERE = Path(__file__).parent
ORDER = HERE / "order.txt"


def golden_records() -> dict[str, str]:
    """The text of every golden file: for each edition and number of players a few matches."""
    files = {}
    for edition, rules in EDITIONS.items():
        target = 2 if not rules.scoring else rules.target or 400
        lines = []
        for players in rules.racks:
            names = [("greedy", "random")[seat % 2] for seat in range(players)]
            single = rules.with_changes({"target": None})
            lines.append(write_record(simulate_match(single, names, 1, players)))
            if players in (2, max(rules.racks)):
                to_target = rules.with_changes({"target": target})
                lines.append(write_record(simulate_match(to_target, names, 2, players)))
        files[f"{edition}.jsonl"] = "".join(line + "\n" for line in lines)
    return files


def order_of_moves() -> str:
    """The legal moves of some positions in their order, which perft cannot see."""
    lines = []
    for edition, rules in EDITIONS.items():
        for moves in (0, 1, 7, 20):
            game = random_game(rules, 2, seed=moves, moves=moves) if moves else None
            game = game or random_game(rules, 2, seed=1, moves=1)
            if not moves:
                game.undo()
            legal = " ".join(map(str, game.legal_moves()))
            lines.append(f"{edition} after {moves}: {legal}\n")
    return "".join(lines)


def main() -> None:
    """Write all files."""
    for name, text in golden_records().items():
        (HERE / name).write_text(text, "utf-8")
    ORDER.write_text(order_of_moves(), "utf-8")
    for edition, cases in CASES.items():
        lines = [f"{case} = {' '.join(map(str, counted(edition, case)))}\n" for case in cases]
        (FOLDER / f"{edition}.perft").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()
