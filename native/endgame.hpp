// The end of a round between two, when nothing is hidden any more: solved, not guessed.
#pragma once
#include <algorithm>

#include "state.hpp"

namespace triomino::TRIOMINO_ARCH {

// Alpha-beta over the margin at the end of the round. Gives up when it has looked at too much.
template <int Tiles>
class Endgame {
   public:
    using S = State<Tiles>;

    Endgame(const Rules& rules, int me, std::int64_t nodes) : rules_(rules), me_(me), left_(nodes) {}

    // The margin of *me* with best play from here, if it lies between the bounds.
    int solve(const S& state, int low, int high) {
        if (state.over()) return state.total[me_] - state.total[1 - me_];
        if (--left_ < 0) return low;
        Choice choices[S::MOST_MOVES];
        const int count = ordered(state, choices);
        const bool mine = state.turn == me_;
        int best = mine ? -LARGE : LARGE;
        for (int i = 0; i < count; i++) {
            S after = state;
            after.apply(choices[i].move, rules_);
            const int value = solve(after, low, high);
            if (left_ < 0) return low;
            if (mine) {
                best = std::max(best, value);
                low = std::max(low, value);
            } else {
                best = std::min(best, value);
                high = std::min(high, value);
            }
            if (low >= high) break;
        }
        return best;
    }
    bool gave_up() const { return left_ < 0; }

    static constexpr int LARGE = 1 << 29;

   private:
    struct Choice {
        int key;
        Move move;
    };

    // What brings most first: it is most often right, and cuts off the rest.
    int ordered(const S& state, Choice* out) const {
        Move moves[S::MOST_MOVES];
        const int count = state.legal(rules_, moves);
        for (int i = 0; i < count; i++) out[i] = {-state.points(moves[i], rules_) * 1024 + i, moves[i]};
        std::sort(out, out + count, [](const Choice& a, const Choice& b) { return a.key < b.key; });
        return count;
    }

    const Rules& rules_;
    const int me_;
    std::int64_t left_;
};

}  // namespace triomino::TRIOMINO_ARCH
