// A learned estimate of the points each seat still makes in an unfinished round.
#pragma once
#include <algorithm>
#include <cmath>

#include "state.hpp"
#include "values.hpp"

namespace triomino::TRIOMINO_ARCH {

template <int Tiles>
class Evaluation {
   public:
    using S = State<Tiles>;

    // In the order of Values.
    static constexpr int FEATURES = 6;
    using Features = std::array<int, FEATURES>;

    Evaluation(const S& state, const Rules& rules) : state_(state), playable_(state.playable()) {
        const auto whole = at_least<S::SLOTS>(state.pattern_at, PAIRS) & state.open;
        whole.each([&](int slot) {
            const int tile = state.pattern_at[slot] - PAIRS,
                      points = state.bonus_points(state.bonus(slot, rules), rules);
            if (tile < Tiles && points) bonuses_[count_++] = {tile, points};
        });
    }

    Features of(int seat) const {
        const auto rack = state_.rack[seat];
        const int playable = (playable_ & rack).count();
        int best = 0, all = 0;
        for (int i = 0; i < count_; i++)
            if (rack.has(bonuses_[i].tile)) best = std::max(best, bonuses_[i].points), all += bonuses_[i].points;
        return {state_.rack_value(seat), rack.count(), playable, !playable, best, all - best};
    }

    // The stage of the round: 0 the pool is empty, 1 somebody is nearly out, 2 somebody is half-way,
    // 3 few tiles in the pool, 4 many.
    int stage() const {
        if (!state_.pool_size()) return 0;
        int least = Tiles;
        for (int seat = 0; seat < state_.players; seat++) least = std::min(least, state_.rack[seat].count());
        return least <= 2 ? 1 : least <= 5 ? 2 : state_.pool_size() <= Tiles / 4 ? 3 : 4;
    }

    const Values& values() const { return VALUES[state_.players - 2][stage()]; }

    // The points a seat still makes relative to the others, in 1/UNIT of a point.
    int expected(int seat, const Values& values) const {
        const Features f = of(seat);
        return values.pips * f[0] + values.tile * f[1] + values.playable * f[2] + values.stuck * f[3] +
               values.bonus * f[4] + values.other_bonuses * f[5] + (seat == state_.turn ? values.turn : 0);
    }

   private:
    struct BonusPlacement {
        int tile, points;
    };
    const S& state_;
    const typename S::TileMask playable_;
    BonusPlacement bonuses_[S::SLOTS];
    int count_ = 0;
};

// The probability, in parts of *whole*, of keeping a lead: close to the normal distribution, but
// computed with operations that give the same result on every machine.
inline int win_chance(double lead, double spread, int whole) {
    return int(0.5 + whole * (0.5 + 0.5 * lead / std::sqrt(lead * lead + 1.57 * spread * spread)));
}

}  // namespace triomino::TRIOMINO_ARCH
