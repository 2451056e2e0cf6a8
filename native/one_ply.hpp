// The policy of the network: the move after which it judges best. It also judges drawing, before the
// luck of the draw.
#pragma once
#include "evaluation.hpp"

namespace triomino::TRIOMINO_ARCH {

template <int Tiles>
class OnePly {
   public:
    using S = State<Tiles>;

    struct Choice {
        Move move;
        Judgement value{};  // of the whole round: see value_of
        std::int64_t worth = -(std::int64_t{1} << 60);
    };

    // Winning the round is worth *win_weight* points on top of the margin.
    OnePly(const Network& network, const Rules& rules, int players, const Seats& start_totals, int win_weight)
        : rules_(rules),
          start_totals_(start_totals),
          win_weight_(win_weight),
          evaluator_(network, rules, players, start_totals) {}

    Choice choose(const S& state) {
        Move moves[S::MOST_MOVES];
        const int count = state.legal(rules_, moves);
        Choice best{moves[0]};
        if (count == 1) return best;
        for (int i = 0; i < count; i++) {
            // Rotating the first tile only rotates the whole board.
            if (!state.laid && moves[i].turn) continue;
            const Judgement value = after(state, moves[i]);
            if (worth(value) > best.worth) best = {moves[i], value, worth(value)};
        }
        return best;
    }

    // Judge the round after a move of the seat to move.
    Judgement after(const S& state, Move move) {
        S next = state;
        next.apply(move, rules_);
        return value_of(next, state.turn, move.kind == Kind::DRAW);
    }

    // The margin of a seat in the whole round and its chance to win; exact if the round is over.
    Judgement value_of(const S& state, int seat, bool pending) {
        int others = 0;
        for (int other = 0; other < state.players; other++)
            if (other != seat) others += state.total[other] - start_totals_[other];
        const int rivals = state.players - 1, own = (state.total[seat] - start_totals_[seat]) * rivals;
        Judgement value{(own - others) * MARGIN_UNIT / rivals, 0};
        if (state.over()) {
            const int winners = state.winners(rules_, start_totals_);
            if (winners >> seat & 1) value.win = CERTAIN / std::popcount(unsigned(winners));
            return value;
        }
        const Judgement rest = evaluator_.judge(state, seat, pending);
        value.margin += rest.margin;
        value.win = rest.win;
        return value;
    }

    // In 1/MARGIN_UNIT of a point.
    std::int64_t worth(const Judgement& value) const {
        return value.margin + std::int64_t{win_weight_} * value.win * MARGIN_UNIT / CERTAIN;
    }

   private:
    const Rules& rules_;
    const Seats& start_totals_;
    const int win_weight_;
    Evaluator<Tiles> evaluator_;
};

}  // namespace triomino::TRIOMINO_ARCH
