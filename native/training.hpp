// Training samples from self-played rounds: features of a position, and how the round ended.
#pragma once
#include <vector>

#include "search.hpp"

namespace triomino::TRIOMINO_ARCH {

// Redeal the tiles hidden from the seat to move, uniformly.
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
        limit_.horizon = 2;
        for (const S& world : worlds_) world_pointers_.push_back(&world);
    }

    // The best move by a search that infers nothing from what the others did.
    Move choose(const S& state, Dice& dice) {
        for (S& world : worlds_) {
            world = state;
            deal_hidden(world, dice);
        }
        limit_.seed = dice.bits();
        Candidate found[S::MOST_MOVES];
        const WorldSource source{nullptr, nullptr, 0, 0, world_pointers_.data(), WORLDS};
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
    std::vector<const void*> world_pointers_;
};

// The points of a seat less the mean of the others'.
template <int Tiles>
float margin_of(const State<Tiles>& state, int seat) {
    int others = 0;
    for (int other = 0; other < state.players; other++) others += other == seat ? 0 : state.total[other];
    return float(state.total[seat]) - float(others) / float(state.players - 1);
}

// Write the sample of one position; its margin is completed when the round is over.
template <int Tiles>
void write_sample(const State<Tiles>& state, const Rules& rules, std::int64_t index, const TrainingArrays& out) {
    const Evaluation<Tiles> evaluation(state, rules);
    float* const row = out.features + index * TRAINING_FEATURES;
    for (int seat = 0; seat < state.players; seat++) {
        const auto features = evaluation.of(seat);
        const float share = seat == state.turn ? 1.0f : -1.0f / float(state.players - 1);
        for (int f = 0; f < TRAINING_FEATURES; f++) row[f] += share * float(features[std::size_t(f)]);
    }
    out.margin[index] = -margin_of(state, state.turn);
    out.stage[index] = std::uint8_t(evaluation.stage());
}

// The samples of rounds *first* to *first + count - 1*. On average a third of the seats plays greedily.
template <int Tiles>
void write_samples(const Rules& rules, int players, std::int64_t rollouts, std::uint64_t seed, std::int64_t first,
                   std::int64_t count, const TrainingArrays& out) {
    using S = State<Tiles>;
    static_assert(Evaluation<Tiles>::FEATURES == TRAINING_FEATURES);
    SelfPlay<Tiles> player(rules, rollouts);
    S state;
    for (std::int64_t i = 0; i < count; i++) {
        Dice dice = Dice::numbered(seed, std::uint64_t(first + i));
        deal(state, rules, deck_of<Tiles>(rules), rules.racks[players], players, dice);
        shuffle_pool(state, dice);
        bool searches[MOST_PLAYERS];
        for (bool& seat : searches) seat = rollouts && dice.below(3);
        const std::int64_t begin = i * SAMPLES_PER_ROUND;
        int written = 0, movers[SAMPLES_PER_ROUND];
        while (!state.over()) {
            if (state.laid && !state.draws && written < SAMPLES_PER_ROUND) {
                write_sample(state, rules, begin + written, out);
                movers[written++] = state.turn;
            }
            const Move move =
                searches[state.turn] ? player.choose(state, dice) : MostPoints::choose(state, rules, dice);
            state.apply(move, rules);
        }
        for (int k = 0; k < SAMPLES_PER_ROUND; k++) {
            if (k < written)
                out.margin[begin + k] += margin_of(state, movers[k]);
            else
                out.stage[begin + k] = NO_SAMPLE;
        }
    }
}

}  // namespace triomino::TRIOMINO_ARCH
