// Rounds played to their end in bulk.
#pragma once
#include <utility>

#include "engine.hpp"
#include "policy.hpp"

namespace triomino::TRIOMINO_ARCH {

// Move a random tile of the pool to its top.
template <int Tiles>
void draw_at_random(State<Tiles>& state, Dice& dice) {
    const int other = state.next + int(dice.below(std::uint32_t(state.pool_size())));
    std::swap(state.pool[state.next], state.pool[other]);
}

// Deal a new round. The pool is left unshuffled: see draw_at_random and shuffle_pool.
template <int Tiles>
TRIOMINO_NOINLINE void deal(State<Tiles>& state, const Rules& rules, const Deck<Tiles>& deck, int size, int players,
                            Dice& dice) {
    state.clear(players);
    std::memcpy(state.pool, deck.tile.data(), Tiles);
    int next = 0;
    for (int seat = 0; seat < players; seat++) {
        auto rack = state.rack[seat];
        for (const int end = next + size; next < end; next++) {
            const int other = next + int(dice.below(std::uint32_t(deck.count - next)));
            const std::uint8_t tile = state.pool[other];
            state.pool[other] = state.pool[next];
            state.pool[next] = tile;
            rack.add(tile);
        }
        if (!rules.starter_free_choice)
            for (int i = next - size; i < next; i++) state.give(seat, state.pool[i], rules);
        state.rack[seat] = rack;
    }
    state.next = std::uint8_t(next);
    state.pool_end = std::uint8_t(deck.count);
    if (rules.starts_by_hand) {
        int best = -1;
        for (int i = 0; i < next; i++) {
            const int rank = TABLES<Tiles>.rank[state.pool[i]];
            if (rank > best) best = rank, state.starter = std::uint8_t(i / size);
        }
    } else {
        // Tiles drawn for the start return to the pool, so every seat is equally likely.
        state.starter = std::uint8_t(dice.below(std::uint32_t(players)));
    }
    state.turn = state.starter;
}

// Shuffle the pool, where draws come from its top.
template <int Tiles>
void shuffle_pool(State<Tiles>& state, Dice& dice) {
    for (int i = state.next; i < state.pool_end; i++)
        std::swap(state.pool[i], state.pool[i + int(dice.below(std::uint32_t(state.pool_end - i)))]);
}

// Code specialised at compile time for the classic rules (see plays_as_classic) is much faster.
inline constexpr Rules CLASSIC{};

template <class Use>
void with_policy(Policy policy, const Use& use) {
    switch (policy) {
        case Policy::RANDOM: use(AnyMove{}); break;
        case Policy::GREEDY: use(MostPoints{}); break;
        case Policy::PLACE: use(AnyPlacement{}); break;
        case Policy::HOARDER: use(Hoarder{}); break;
        case Policy::BLOCKER: use(Blocker{}); break;
    }
}

// Play rounds *first* to *first + count - 1*, each with its own generator, and write their results.
// They start from a position or, without one, from a new deal.
template <class P, bool Classic, int Tiles>
TRIOMINO_FLATTEN void play_rounds(const Rules& given, const State<Tiles>* from, int players, std::uint64_t seed,
                                  std::int64_t first, std::int64_t count, const RoundResults& out) {
    const Rules& rules = Classic ? CLASSIC : given;
    const Deck<Tiles>& deck = deck_of<Tiles>(given);
    const int size = given.racks[players];
    State<Tiles> state;
    for (std::int64_t i = 0; i < count; i++) {
        Dice dice = Dice::numbered(seed, std::uint64_t(first + i));
        if (from)
            state = *from;
        else
            deal(state, rules, deck, size, players, dice);
        std::uint8_t made[2][MOST_PLAYERS] = {};
        int turns = 0;
        while (!state.over()) {
            const Move move = P::choose(state, rules, dice);
            if (move.kind == Kind::DRAW) draw_at_random(state, dice);
            const int seat = state.turn;
            const Bonus bonus = state.apply(move, rules);
            turns += state.draws == 0;
            if (bonus != Bonus::NONE) made[bonus != Bonus::BRIDGE][seat]++;
        }
        for (int seat = 0; seat < players; seat++) {
            out.scores[i * players + seat] = state.total[seat];
            out.bridges[i * players + seat] = made[0][seat];
            out.hexagons[i * players + seat] = made[1][seat];
        }
        out.turns[i] = turns;
        out.reason[i] = std::uint8_t(state.ending);
        out.starter[i] = state.starter;
        out.winners[i] = std::uint8_t(state.winners(rules, Seats{}));
    }
}

}  // namespace triomino::TRIOMINO_ARCH
