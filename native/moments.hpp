// Self-played rounds to learn from: what everybody had at a moment, and what came of it.
#pragma once
#include <vector>

#include "search.hpp"

namespace triomino::TRIOMINO_ARCH {

// The tiles that who is to move does not see, dealt anew: all deals are equally likely.
template <int Tiles>
void deal_hidden(State<Tiles>& state, Dice& dice) {
    typename State<Tiles>::TileMask hidden;
    for (int seat = 0; seat < state.players; seat++)
        if (seat != state.turn) hidden = hidden | state.rack[seat];
    for (int i = state.next; i < state.pool_end; i++) hidden.add(state.pool[i]);
    std::uint8_t tiles[Tiles];
    int left = 0;
    hidden.each([&](int tile) { tiles[left++] = std::uint8_t(tile); });
    const auto any = [&] {
        const int which = int(dice.below(std::uint32_t(left)));
        std::swap(tiles[which], tiles[left - 1]);
        return tiles[--left];
    };
    for (int seat = 0; seat < state.players; seat++) {
        if (seat == state.turn) continue;
        const int count = state.rack[seat].count();
        state.rack[seat] = {};
        for (int i = 0; i < count; i++) state.rack[seat].add(any());
    }
    for (int i = state.next; i < state.pool_end; i++) state.pool[i] = any();
}

template <int Tiles>
class SelfPlay {
   public:
    using S = State<Tiles>;

    SelfPlay(const Rules& rules, std::int64_t rollouts) : rules_(rules), worlds_(WORLDS) {
        limit_.rollouts = rollouts;
        limit_.win_weight = 100;
        limit_.foresight = 2;
        for (const S& world : worlds_) places_.push_back(&world);
    }

    // A search that believes nothing of the others.
    Move think(const S& state, Dice& dice) {
        for (S& world : worlds_) {
            world = state;
            deal_hidden(world, dice);
        }
        limit_.seed = dice.bits();
        Candidate found[S::MOST_MOVES];
        const WorldSource source{nullptr, nullptr, 0, 0, places_.data(), WORLDS};
        Search<Tiles, true>(state, rules_, source, limit_).run(found);
        Move moves[S::MOST_MOVES];
        state.legal(rules_, moves);
        return moves[found[0].index];
    }

   private:
    static constexpr int WORLDS = 16;
    const Rules& rules_;
    SearchLimit limit_;
    std::vector<S> worlds_;
    std::vector<const void*> places_;
};

// Rounds *first* to *first + count - 1*. In each, a third of the seats is greedy.
template <int Tiles>
void write_moments(const Rules& rules, int players, std::int64_t rollouts, std::uint64_t seed, std::int64_t first,
                   std::int64_t count, const MomentArrays& out) {
    using S = State<Tiles>;
    static_assert(Prospects<Tiles>::FEATURES == MOMENT_FEATURES);
    SelfPlay<Tiles> thinker(rules, rollouts);
    S state;
    for (std::int64_t i = 0; i < count; i++) {
        Dice dice = Dice::numbered(seed, std::uint64_t(first + i));
        deal(state, rules, deck_of<Tiles>(rules), rules.racks[players], players, dice);
        shuffle_pool(state, dice);
        bool thinks[MOST_PLAYERS];
        for (bool& does : thinks) does = rollouts && dice.below(3);
        const auto margin_of = [&](int seat) {
            int others = 0;
            for (int other = 0; other < players; other++) others += other == seat ? 0 : state.total[other];
            return float(state.total[seat]) - float(others) / float(players - 1);
        };
        const std::int64_t begin = i * MOMENTS;
        int written = 0, movers[MOMENTS];
        while (!state.over()) {
            if (state.laid && !state.draws && written < MOMENTS) {
                const Prospects<Tiles> prospects(state, rules);
                float* const row = out.features + (begin + written) * MOMENT_FEATURES;
                for (int seat = 0; seat < players; seat++) {
                    const auto features = prospects.of(seat);
                    const float share = seat == state.turn ? 1.0f : -1.0f / float(players - 1);
                    for (int f = 0; f < MOMENT_FEATURES; f++) row[f] += share * float(features[std::size_t(f)]);
                }
                out.margin[begin + written] = -margin_of(state.turn);
                out.stage[begin + written] = std::uint8_t(prospects.stage());
                movers[written++] = state.turn;
            }
            state.apply(thinks[state.turn] ? thinker.think(state, dice) : MostPoints::choose(state, rules, dice), rules);
        }
        for (int k = 0; k < MOMENTS; k++) {
            if (k < written)
                out.margin[begin + k] += margin_of(movers[k]);
            else
                out.stage[begin + k] = NO_MOMENT;
        }
    }
}

}  // namespace triomino::TRIOMINO_ARCH
