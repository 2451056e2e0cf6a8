// The network applied to a state: which features it has, and what they come to.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>

#include "network.hpp"
#include "state.hpp"

namespace triomino::TRIOMINO_ARCH {

// The features of a state as *seat* knows it. With *pending* the last tile drawn, by that seat, has not
// been looked at yet, so that the decision to draw can be judged before its luck.
template <int Tiles>
class Features {
   public:
    using S = State<Tiles>;
    using TileMask = typename S::TileMask;

    // Those that change during a round.
    struct Values {
        std::array<TileMask, TILE_KINDS> tiles{};
        alignas(64) std::array<std::int32_t, NUMBER_ROOM> numbers{};
    };

    Features(const S& state, const Rules& rules, int seat, bool pending) : state_(state), rules_(rules), seat_(seat) {
        mine_ = state.rack[seat];
        unseen_ = {};
        for (int other = 0; other < state.players; other++)
            if (other != seat) unseen_ = unseen_ | state.rack[other];
        for (int i = state.next; i < state.pool_end; i++) unseen_.add(state.pool[i]);
        if (pending) {
            mine_.remove(state.pool[state.next - 1]);
            unseen_.add(state.pool[state.next - 1]);
        }
        pending_ = pending;
        fits_ = state.playable();
    }

    Values values(const Seats& start_totals) const {
        Values out;
        out.tiles[0] = mine_;
        out.tiles[1] = mine_ & fits_;
        out.tiles[4] = unseen_;
        out.tiles[5] = unseen_ & fits_;
        out.tiles[8] = unseen_ & state_.lacks[seat_after(1)];
        numbers(start_totals, out);
        return out;
    }

    // Call emit(feature, value) for every feature that changes during a round and is not 0.
    template <class Emit>
    void each(const Seats& start_totals, const Emit& emit) const {
        const Values found = values(start_totals);
        for (int kind = 0; kind < TILE_KINDS; kind++)
            found.tiles[kind].each([&](int tile) { emit(tile_feature(kind, tile), 1); });
        for (int i = 0; i < NUMBER_FEATURES; i++)
            if (found.numbers[i]) emit(TILE_FEATURES + i, found.numbers[i]);
    }

    static int tile_feature(int kind, int tile) { return kind * 76 + TABLES<Tiles>.public_index[tile]; }

    // The same for the features of the rules.
    template <class Emit>
    static void each_rule(const Rules& rules, int players, const Emit& emit) {
        int next = TILE_FEATURES + NUMBER_FEATURES;
        const auto number = [&](int value) {
            if (value) emit(next, std::clamp(value, -255, 255));
            next++;
        };
        const auto choice = [&](int value, int count) {
            for (int i = 0; i < count; i++) number(i == value);
        };
        number(tile_set(rules.tiles)->mirrored);
        number(rules.tiles);
        choice(players - 2, 5);
        number(rules.racks[std::size_t(players)]);
        number(rules.scoring);
        choice(int(rules.placement_sum), 3);
        choice(int(rules.bridge_rule), 4);
        number(rules.bridge_bonus);
        for (int bonus : rules.hexagon_bonuses) number(bonus);
        number(rules.draw_cost);
        number(std::min(rules.max_draws, 10));
        number(rules.draw_ends_turn);
        number(rules.no_play_extra);
        number(rules.extra_on_last_draw);
        choice(int(rules.voluntary_draw), 3);
        number(rules.drawn_only);
        number(rules.must_place_after_last_draw);
        number(rules.may_keep);
        number(rules.one_then_optional);
        number(rules.voluntary_pass);
        number(rules.empty_pool_penalty);
        number(rules.out_bonus);
        number(rules.out_takes_opponents);
        choice(int(rules.blocked), 6);
        choice(int(rules.blocked_tie), 4);
        number(rules.all_pass);
        number(rules.floor_at_zero);
        number(rules.wins_by_ending);
    }

    // By how much the seat leads the best of the others, as the winner of the round is found.
    int lead(const Seats& start_totals) const {
        int least = 1 << 30;
        for (int other = 0; other < state_.players; other++)
            if (other != seat_) least = std::min(least, ahead_of(other, start_totals));
        return least;
    }

   private:
    int ahead_of(int other, const Seats& start_totals) const {
        int points = state_.total[seat_] - state_.total[other];
        if (rules_.target) points -= start_totals[seat_] - start_totals[other];
        return std::clamp(points, -MOST_LEAD, MOST_LEAD);
    }

    // Also writes the tile features of bonuses, which it finds on the way.
    void numbers(const Seats& start_totals, Values& out) const {
        std::int32_t* next = out.numbers.data();
        const auto number = [&](int value) { *next++ = value; };
        TileMask bonus[2] = {};  // tiles that would make a bridge, or a hexagon
        int best = 0, mine_points = 0, unseen_points = 0, pairs[PAIRS] = {}, open = 0, bonuses = 0;
        std::uint8_t bonus_tile[S::SLOTS];
        int bonus_points[S::SLOTS];
        state_.open.each([&](int slot) {
            open++;
            const int pattern = state_.pattern_at[slot];
            if (pattern < PAIRS) {
                pairs[pattern]++;
                return;
            }
            const int tile = pattern - PAIRS;
            if (tile >= Tiles) return;
            const Bonus made = state_.bonus(slot, rules_);
            const int points = rules_.scoring ? state_.bonus_points(made, rules_) : 0;
            if (!points) return;
            bonus[made != Bonus::BRIDGE].add(tile);
            if (mine_.has(tile)) best = std::max(best, points), mine_points += points;
            if (!unseen_.has(tile)) return;
            unseen_points += points;
            bonus_tile[bonuses] = std::uint8_t(tile);
            bonus_points[bonuses++] = points;
        });
        for (int kind = 0; kind < 2; kind++) {
            out.tiles[2 + kind] = mine_ & bonus[kind];
            out.tiles[6 + kind] = unseen_ & bonus[kind];
        }
        const int mine = mine_.count(), fitting = (mine_ & fits_).count(), pool = state_.pool_size() + pending_;
        number(mine);
        number(pips(mine_));
        number(fitting);
        number(!fitting);
        number(std::min(best, 255));
        number(std::min(mine_points, 255));
        number(unseen_.count());
        number(pips(unseen_));
        number((unseen_ & fits_).count());
        number(std::min(unseen_points, 1023));
        number((unseen_ & (bonus[0] | bonus[1])).count());
        number(pool);
        number(state_.laid);
        number(open);
        number(pending_);
        number(state_.draws);
        number(state_.draws && state_.turn == seat_);
        number(state_.idle);
        int least = Tiles;
        for (int step = 1; step < MOST_PLAYERS; step++) {
            const int size = step < state_.players ? state_.rack[seat_after(step)].count() : 0;
            if (step < state_.players) least = std::min(least, size);
            number(size);
        }
        for (int step = 0; step < MOST_PLAYERS; step++)
            number(step < state_.players && seat_after(step) == state_.turn);
        for (int step = 1; step < MOST_PLAYERS; step++)
            number(step < state_.players ? ahead_of(seat_after(step), start_totals) : 0);
        number(lead(start_totals));
        for (int most : {0, 1, 2, 4, 8, 16, 24}) number(pool <= most);
        for (int most : {1, 2, 3, 4, 6, 8, 12, 16}) number(mine <= most);
        for (int most : {1, 2, 3, 4, 6, 8, 12}) number(least <= most);
        for (int count : pairs) number(count);
        const int unseen = unseen_.count(), unseen_fitting = (unseen_ & fits_).count();
        for (int step = 1; step < MOST_PLAYERS; step++) {
            if (step >= state_.players) {
                number(0), number(0);
                continue;
            }
            // What the seat may be expected to have: tiles that fit, in sixteenths, and points of bonuses.
            const int other = seat_after(step), fresh = state_.fresh[other];
            const TileMask old = unseen_ & ~state_.lacks[other];
            const int tiles = old.count(), count = std::max(0, state_.rack[other].count() - fresh);
            int points = 0;
            for (int i = 0; i < bonuses; i++) points += old.has(bonus_tile[i]) ? bonus_points[i] : 0;
            number(16 * count * (old & fits_).count() / std::max(1, tiles) +
                   16 * fresh * unseen_fitting / std::max(1, unseen));
            number(count * points / std::max(1, tiles) + fresh * unseen_points / std::max(1, unseen));
        }
        number(state_.fresh[seat_after(1)]);
        number((unseen_ & state_.lacks[seat_after(1)]).count());
    }

    // The seat *step* turns later, less than a lap.
    int seat_after(int step) const {
        const int seat = seat_ + step;
        return seat < state_.players ? seat : seat - state_.players;
    }
    static int pips(TileMask tiles) {
        int sum = 0;
        for (int bit = 0; bit < 4; bit++) sum += (tiles & TABLES<Tiles>.value_bits[bit]).count() << bit;
        return sum;
    }

    static constexpr int MOST_LEAD = 400;
    const S& state_;
    const Rules& rules_;
    const int seat_;
    TileMask mine_, unseen_, fits_;
    bool pending_;
};

// The network for the rounds of one game. Positions that are judged one after the other have much in
// common, so the sums of the first layer are kept and only what changed is added or subtracted.
template <int Tiles>
class Evaluator {
   public:
    Evaluator(const Network& network, const Rules& rules, int players, const Seats& start_totals)
        : network_(network),
          rules_(rules),
          start_totals_(start_totals),
          bucket_(network_bucket(rules, players)),
          input_(network.input[network_group(bucket_)]) {
        const auto& bias = network.input_bias[network_group(bucket_)];
        for (int unit = 0; unit < UNITS; unit++) sums_[unit] = bias[unit];
        Features<Tiles>::each_rule(rules, players, [&](int feature, int value) {
            for (int unit = 0; unit < UNITS; unit++) sums_[unit] += input_[feature][unit] * value;
        });
    }

    // Judge a round that is not over from the point of view of a seat.
    Judgement judge(const State<Tiles>& state, int seat, bool pending) {
        const Features<Tiles> features(state, rules_, seat, pending);
        update(features.values(start_totals_));
        alignas(64) std::int16_t active[UNITS];
        for (int unit = 0; unit < UNITS; unit++) active[unit] = std::int16_t(std::clamp(sums_[unit], 0, ONE));
        std::int32_t out[HEADS];
        for (int head = 0; head < HEADS; head++) out[head] = network_.head_bias[bucket_][head];
        for (int unit = 0; unit < HIDDEN; unit++) {
            std::int32_t sum = network_.hidden_bias[bucket_][unit];
            for (int from = 0; from < UNITS; from++) sum += network_.hidden[bucket_][unit][from] * active[from];
            const int level = std::clamp(sum >> HIDDEN_BITS, 0, ONE);
            for (int head = 0; head < HEADS; head++) out[head] += network_.head[bucket_][head][unit] * level;
        }
        const std::int64_t margin = std::int64_t{out[0]} * (MARGIN_SCALE * MARGIN_UNIT);
        const std::int64_t leading = std::int64_t{out[2]} * features.lead(start_totals_) >> LEAD_BITS;
        return {std::int32_t(margin >> OUT_BITS), chance(out[1] + leading)};
    }

   private:
    using Values = typename Features<Tiles>::Values;

    // Let the sums be those of *now*.
    void update(const Values& now) {
        constexpr int BLOCK = 4;  // numbers that are compared at once
        std::uint16_t feature[TILE_FEATURES + NUMBER_ROOM];
        std::int32_t change[TILE_FEATURES + NUMBER_ROOM];
        int count = 0;
        for (int kind = 0; kind < TILE_KINDS; kind++) {
            const auto old = last_.tiles[kind], found = now.tiles[kind];
            ((old & ~found) | (found & ~old)).each([&](int tile) {
                feature[count] = std::uint16_t(Features<Tiles>::tile_feature(kind, tile));
                change[count++] = found.has(tile) ? 1 : -1;
            });
        }
        for (int i = 0; i < NUMBER_ROOM; i += BLOCK) {
            if (!std::memcmp(&last_.numbers[i], &now.numbers[i], BLOCK * sizeof now.numbers[i])) continue;
            for (int k = i; k < i + BLOCK; k++) {
                feature[count] = std::uint16_t(TILE_FEATURES + k);
                change[count] = now.numbers[k] - last_.numbers[k];
                count += change[count] != 0;
            }
        }
        // Half the time of a search is spent here. With -floop-unroll-and-jam, which -O3 includes, GCC
        // takes the features in pairs and the units one by one; without, all units at once.
        alignas(64) std::int32_t sums[UNITS];
        for (int unit = 0; unit < UNITS; unit++) sums[unit] = sums_[unit];
        for (int i = 0; i < count; i++) {
            const std::int16_t* const weights = input_[feature[i]];
            const int times = change[i];
            for (int unit = 0; unit < UNITS; unit++) sums[unit] += weights[unit] * times;
        }
        for (int unit = 0; unit < UNITS; unit++) sums_[unit] = sums[unit];
        last_ = now;
    }

    // The logistic function, interpolated.
    std::int32_t chance(std::int64_t logit) const {
        constexpr int STEP_BITS = OUT_BITS - 5, MIDDLE = CHANCES / 2;
        const std::int64_t least = -(std::int64_t{MIDDLE} << STEP_BITS);
        const std::int64_t at = std::clamp(logit, least, -least - 1) - least;
        const auto step = std::size_t(at >> STEP_BITS);
        const std::int64_t part = at & ((1 << STEP_BITS) - 1);
        const std::int32_t low = network_.chance[step], high = network_.chance[step + 1];
        return low + std::int32_t((high - low) * part >> STEP_BITS);
    }

    const Network& network_;
    const Rules& rules_;
    const Seats& start_totals_;
    const int bucket_;
    const std::int16_t (&input_)[FEATURES][UNITS];  // the first layer of the bucket's group
    Values last_;                                   // what the sums stand for, beside the rules
    alignas(64) std::int32_t sums_[UNITS];          // of the first layer
};

}  // namespace triomino::TRIOMINO_ARCH
