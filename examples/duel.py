"""Two bots, a hundred rounds, every deal played twice with the seats exchanged."""

from triomino import CLASSIC
from triomino.bots import simulate_match


def main() -> None:
    """Play, and print how often each bot won; a shared win is split."""
    wins = {"greedy": 0.0, "random": 0.0}
    for deal in range(50):
        for names in (["greedy", "random"], ["random", "greedy"]):
            match = simulate_match(CLASSIC, names, seed=1, number=deal)
            for seat in match.winners:
                wins[names[seat]] += 1 / len(match.winners)
    print(wins)


if __name__ == "__main__":
    main()
