// Samples of the hidden tiles that are consistent with what a seat knows: see triomino.worlds.
#pragma once
#include <utility>
#include <vector>

#include "convert.hpp"
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
            const int number = int(dice.below(std::uint32_t(way.most[g] - i)));
            if (number >= fitting.count()) return false;
            const int tile = fitting.nth(number);
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

// Lay the next tile of a round on *board*, a copy of it that lags behind; returns false if the tiles of
// *state* are not in order of play.
template <int Tiles>
bool lay_next(State<Tiles>& board, const State<Tiles>& state) {
    using S = State<Tiles>;
    if (board.laid >= state.laid) return false;
    if (!board.laid) {
        lay_first_as(board, state);
        return true;
    }
    const int tile = state.laid_tile[board.laid], slot = board.slot_of[S::cell_index(state.laid_cell[board.laid])];
    if (slot >= S::SLOTS || !board.slots_for(tile).has(slot)) return false;
    board.lay(tile, slot, Rules{});
    return true;
}

// The board before *events*; returns false if there are more placements among them than tiles on it.
template <int Tiles>
bool lay_before(State<Tiles>& board, const State<Tiles>& state, const std::vector<Event>& events) {
    board.clear(state.players);
    int before = state.laid;
    for (const Event& event : events) before -= event.kind == int(Kind::PLACE);
    while (board.laid < before)
        if (!lay_next(board, state)) return false;
    return before >= 0;
}

// Find what everybody may conclude from the moves of a round: see State::lacks.
template <int Tiles>
void conclude(State<Tiles>& state, const std::vector<Event>& events) {
    State<Tiles> board;
    if (!lay_before(board, state, events)) return;
    for (const Event& event : events) {
        if (event.kind == int(Kind::PLACE)) {
            if (!lay_next(board, state)) return;
            board.note_placed(event.seat, board.laid_tile[board.laid - 1]);
        } else if (event.kind != int(Kind::KEEP)) {
            board.note_unable(event.seat);
            board.fresh[event.seat] = std::uint8_t(board.fresh[event.seat] + (event.kind == int(Kind::DRAW)));
        }
    }
    state.lacks = board.lacks;
    std::memcpy(state.fresh, board.fresh, sizeof state.fresh);
}

// Redeal the tiles hidden from the seat to move, in most cases as what is known of the others suggests:
// in all of them if nobody may draw while able to place.
template <int Tiles>
void deal_hidden(State<Tiles>& state, const Rules& rules, Dice& dice) {
    typename State<Tiles>::TileMask hidden;
    for (int seat = 0; seat < state.players; seat++)
        if (seat != state.turn) hidden = hidden | state.rack[seat];
    for (int i = state.next; i < state.pool_end; i++) hidden.add(state.pool[i]);
    std::uint8_t tiles[Tiles];
    int left = 0;
    hidden.each([&](int tile) { tiles[left++] = std::uint8_t(tile); });
    const auto take = [&](int which) {
        std::swap(tiles[which], tiles[left - 1]);
        return tiles[--left];
    };
    const auto any = [&] { return take(int(dice.below(std::uint32_t(left)))); };
    const bool concludes = rules.voluntary_draw == VoluntaryDraw::NEVER || dice.below(4);
    for (int seat = 0; seat < state.players; seat++) {
        if (seat == state.turn) continue;
        const int count = state.rack[seat].count(), old = concludes ? count - state.fresh[seat] : 0;
        const auto lacks = state.lacks[seat];
        state.rack[seat] = {};
        for (int i = 0; i < count; i++) {
            int which = int(dice.below(std::uint32_t(left)));
            // From a random place on, the first tile that the seat may have; any, if there is none.
            for (int tried = 0; i < old && tried < left && lacks.has(tiles[which]); tried++)
                which = which + 1 == left ? 0 : which + 1;
            state.rack[seat].add(take(which));
        }
    }
    for (int i = state.next; i < state.pool_end; i++) state.pool[i] = any();
}

}  // namespace triomino::TRIOMINO_ARCH
