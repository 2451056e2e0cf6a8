// Samples of the hidden tiles that are consistent with what a seat knows: see triomino.worlds.
#pragma once
#include <utility>

#include "dice.hpp"
#include "engine.hpp"
#include "state.hpp"

namespace triomino::TRIOMINO_ARCH {

// A set of public tiles from its two words.
inline Mask<2> public_tiles(const std::array<std::uint64_t, 2>& words) {
    Mask<2> tiles;
    tiles.word[0] = words[0], tiles.word[1] = words[1];
    return tiles;
}

// Fill the hidden racks; returns false if this attempt is rejected. Rejecting in proportion to the
// bound on the number of choices makes every consistent deal equally likely.
template <int Tiles>
bool try_world(State<Tiles>& state, const WorldPlan& plan, Dice& dice, Mask<2>& left) {
    const auto& table = TABLES<Tiles>;
    const WorldPlan::Way* chosen[MOST_PLAYERS] = {};
    for (int seat = 0; seat < state.players; seat++) {
        if (!plan.ways[seat]) continue;
        const std::uint64_t bits = dice.bits();
        const WorldPlan::Way* way = plan.way[seat];
        while (bits > way->up_to) way++;
        chosen[seat] = way;
        state.rack[seat] = {};
    }
    left = public_tiles(plan.unseen);
    for (int g = 0; g < plan.groups; g++) {
        const WorldGroup& group = plan.group[g];
        const WorldPlan::Way& way = *chosen[group.seat];
        const Mask<2> allowed = public_tiles(group.allowed);
        for (int i = 0; i < way.left[g]; i++) {
            const Mask<2> fitting = allowed & left;
            const std::uint32_t number = dice.below(std::uint32_t(way.most[g] - i));
            if (int(number) >= fitting.count()) return false;
            const int tile = fitting.nth(int(number));
            left.remove(tile);
            state.rack[group.seat].add(table.of_public[tile]);
        }
    }
    return true;
}

// Repeat until a deal is accepted. With *tries*, give up after so many and return false: a belief may
// be impossible.
template <int Tiles>
bool sample_world(State<Tiles>& state, const WorldPlan& plan, int pool_size, Dice& dice, int tries = 0) {
    Mask<2> left;
    while (!try_world(state, plan, dice, left))
        if (tries && !--tries) return false;
    // The rest is the pool, in random order, and perhaps tiles that are out of play.
    std::uint8_t rest[76];
    int count = 0;
    left.each([&](int tile) { rest[count++] = TABLES<Tiles>.of_public[tile]; });
    for (int i = 0; i < pool_size; i++) {
        std::swap(rest[i], rest[i + int(dice.below(std::uint32_t(count - i)))]);
        state.pool[state.next + i] = rest[i];
    }
    state.pool_end = std::uint8_t(state.next + pool_size);
    return true;
}

}  // namespace triomino::TRIOMINO_ARCH
