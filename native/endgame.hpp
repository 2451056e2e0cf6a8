// An exact solver for two-player endings in which nothing is hidden.
#pragma once
#include <algorithm>
#include <array>

#include "state.hpp"

namespace triomino::TRIOMINO_ARCH {

// Alpha-beta over the margin at the end of the round. Gives up when its node budget is spent.
template <int Tiles>
class Endgame {
   public:
    using S = State<Tiles>;

    Endgame(const Rules& rules, int me, std::int64_t nodes) : rules_(rules), me_(me), nodes_left_(nodes) {}

    struct Result {
        int margin;  // of *me*
        Seats total;
    };

    // The result of best play from here; meaningless if gave_up().
    Result solve(const S& state) { return solve(state, -LARGE, LARGE); }
    bool gave_up() const { return nodes_left_ < 0; }
    std::int64_t nodes_left() const { return nodes_left_; }

   private:
    static constexpr int LARGE = 1 << 29;

    // The margin is exact if it lies between the bounds, otherwise a bound itself.
    Result solve(const S& state, int low, int high) {
        if (state.over()) return {state.total[me_] - state.total[1 - me_], state.total};
        if (--nodes_left_ < 0) return {low, {}};
        Choice choices[S::MOST_MOVES];
        const int count = ordered(state, choices);
        const bool mine = state.turn == me_;
        Result best{mine ? -LARGE : LARGE, {}};
        for (int i = 0; i < count && low < high; i++) {
            S after = state;
            after.apply(choices[i].move, rules_);
            const Result found = solve(after, low, high);
            if (nodes_left_ < 0) return found;
            if (mine ? found.margin > best.margin : found.margin < best.margin) best = found;
            if (mine)
                low = std::max(low, best.margin);
            else
                high = std::min(high, best.margin);
        }
        return best;
    }

    struct Choice {
        int key;
        Move move;
    };

    // Most points first: usually the best move, so the rest is cut off.
    int ordered(const S& state, Choice* out) const {
        Move moves[S::MOST_MOVES];
        const int count = state.legal(rules_, moves);
        for (int i = 0; i < count; i++) out[i] = {-state.points(moves[i], rules_) * 1024 + i, moves[i]};
        std::sort(out, out + count, [](const Choice& a, const Choice& b) { return a.key < b.key; });
        return count;
    }

    const Rules& rules_;
    const int me_;
    std::int64_t nodes_left_;
};

}  // namespace triomino::TRIOMINO_ARCH
