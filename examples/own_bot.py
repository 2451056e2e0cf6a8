"""Your own bot: it lays its most valuable tile first. It is given a view, never the game."""

from triomino import CLASSIC, Game, Move, Place, Rng, View
from triomino.bots import Bot, Limit, RandomBot


class HeavyFirst:
    """A bot that gets rid of high tiles, so that little is left if another player goes out."""

    name = "heavy first"

    def choose(self, view: View, limit: Limit | None = None) -> Move:
        """Return the placement of the highest tile, or the first legal move if nothing fits."""
        moves = view.legal_moves()
        places = [move for move in moves if isinstance(move, Place)]
        return max(places, key=lambda place: place.tile.points, default=moves[0])


def main() -> None:
    """Play one round against the random bot."""
    game = Game.deal(CLASSIC, players=2, seed=4)
    bots: list[Bot] = [HeavyFirst(), RandomBot(Rng(1))]
    while not game.over:
        game.play(bots[game.turn].choose(View.of(game, game.turn)))
    print(game.totals, "won by seats", game.winners)


if __name__ == "__main__":
    main()
