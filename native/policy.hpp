// Policies that do not search: random move, random placement, most points now, hoarding and blocking.
#pragma once
#include "dice.hpp"
#include "state.hpp"

namespace triomino::TRIOMINO_ARCH {

// The placement of *tiles* with a given number, counting by tile and then by slot.
template <int Tiles, class TileMask>
inline Move placement(const State<Tiles>& state, TileMask tiles, int number) {
    for (;;) {
        const int tile = tiles.lowest(), ways = state.counts[tile];
        if (number < ways) return {Kind::PLACE, std::uint8_t(tile), std::uint8_t(state.slots_for(tile).nth(number))};
        number -= ways;
        tiles.remove(tile);
    }
}

// The number of placements of *tiles*.
template <int Tiles, class TileMask>
inline int placements(const State<Tiles>& state, TileMask tiles) {
    int sum = 0;
    tiles.each([&](int tile) { sum += state.counts[tile]; });
    return sum;
}

// The nth legal move that is not a placement, n < other_moves().
template <int Tiles>
Move other_move(const State<Tiles>& state, const Rules& rules, bool able, int n) {
    if (state.may_draw(rules, able) && !n--) return {Kind::DRAW};
    if (state.may_keep(rules) && !n--) return {Kind::KEEP};
    if (state.may_end(rules, able) && !n--) return {Kind::END};
    return {Kind::PASS};
}

// The number of legal moves that are not placements.
template <int Tiles>
int other_moves(const State<Tiles>& state, const Rules& rules, bool able) {
    return state.may_draw(rules, able) + state.may_keep(rules) + state.may_end(rules, able) +
           state.may_pass(rules, able);
}

// A random first placement in any rotation, or one of *others* moves that are not placements.
template <int Tiles>
TRIOMINO_NOINLINE Move random_opening(const State<Tiles>& state, const Rules& rules, Dice& dice, int others) {
    const auto tiles = state.candidates(rules), triples = tiles & TABLES<Tiles>.triples;
    const int once = triples.count(), thrice = 3 * (tiles.count() - once);
    int number = int(dice.below(std::uint32_t(once + thrice + others)));
    if (number < once) return {Kind::PLACE, std::uint8_t(triples.nth(number))};
    number -= once;
    if (number >= thrice) return other_move(state, rules, true, number - thrice);
    return {Kind::PLACE, std::uint8_t((tiles & ~triples).nth(number / 3)), 0, std::uint8_t(number % 3)};
}

// Every legal move with equal probability.
struct AnyMove {
    static constexpr bool PLACES_IF_ABLE = false;

    template <int Tiles>
    static Move choose(const State<Tiles>& state, const Rules& rules, Dice& dice) {
        if (!state.laid) [[unlikely]]
            return random_opening(state, rules, dice, other_moves(state, rules, true));
        const auto tiles = state.candidates(rules) & state.playable();
        const bool able = tiles.any();
        const int others = other_moves(state, rules, able);
        if (!able) return other_move(state, rules, false, others == 1 ? 0 : int(dice.below(std::uint32_t(others))));
        const int ways = placements(state, tiles), number = int(dice.below(std::uint32_t(ways + others)));
        return number < ways ? placement(state, tiles, number) : other_move(state, rules, true, number - ways);
    }
};

// Every placement with equal probability; without one, the first of the other moves.
struct AnyPlacement {
    static constexpr bool PLACES_IF_ABLE = true;

    template <int Tiles>
    static Move choose(const State<Tiles>& state, const Rules& rules, Dice& dice) {
        if (!state.laid) [[unlikely]]
            return random_opening(state, rules, dice, 0);
        const auto tiles = state.candidates(rules) & state.playable();
        if (!tiles.any()) return other_move(state, rules, false, 0);
        return placement(state, tiles, int(dice.below(std::uint32_t(placements(state, tiles)))));
    }
};

// Most points now, then the tile of highest value, then the first legal move: bots.plain.GreedyBot.
struct MostPoints {
    static constexpr bool PLACES_IF_ABLE = true;

    template <int Tiles>
    static Move choose(const State<Tiles>& state, const Rules& rules, Dice&) {
        if (!state.laid) [[unlikely]]
            return opening(state, rules);
        const auto& table = TABLES<Tiles>;
        const auto tiles = state.candidates(rules) & state.playable();
        if (!tiles.any()) return cheapest(state, rules);
        const bool sums = rules.scoring && rules.placement_sum == triomino::PlacementSum::ALL;
        const int highest = table.value[tiles.lowest()];
        // Compare by points, then by value. Without a bonus the best tile is one of the highest value.
        const int plain = sums ? highest << 4 | highest : highest;
        int best = plain, best_spot = 0;
        Move chosen;
        const auto whole = at_least<State<Tiles>::SLOTS>(state.pattern_at, PAIRS) & state.open;
        if (rules.scoring)
            whole.each([&](int slot) {
                const int tile = state.pattern_at[slot] - PAIRS;
                if (!tiles.has(tile)) return;
                const int value = table.value[tile];
                const int points = (sums ? value : 0) + state.bonus_points(state.bonus(slot, rules), rules);
                const int worth = points << 4 | value;
                if (worth <= plain || worth < best || (worth == best && state.spot[slot] > best_spot)) return;
                best = worth;
                best_spot = state.spot[slot];
                chosen = {Kind::PLACE, std::uint8_t(tile), std::uint8_t(slot)};
            });
        if (best > plain) return chosen;
        int first = 1 << 30;
        (tiles & table.of_value[highest]).each([&](int tile) {
            state.slots_for(tile).each([&](int slot) {
                const int key = cell_of(state.spot[slot]) * 128 + table.public_index[tile];
                if (key >= first) return;
                first = key;
                chosen = {Kind::PLACE, std::uint8_t(tile), std::uint8_t(slot)};
            });
        });
        return chosen;
    }

   private:
    template <int Tiles>
    TRIOMINO_NOINLINE static Move opening(const State<Tiles>& state, const Rules& rules) {
        Move moves[State<Tiles>::MOST_MOVES];
        const int count = state.legal(rules, moves);
        Move chosen = moves[0];
        int best = -1;
        for (int i = 0; i < count && moves[i].kind == Kind::PLACE; i++) {
            const int worth = state.points(moves[i], rules) << 4 | TABLES<Tiles>.value[moves[i].tile];
            if (worth > best) best = worth, chosen = moves[i];
        }
        return chosen;
    }

    template <int Tiles>
    TRIOMINO_NOINLINE static Move cheapest(const State<Tiles>& state, const Rules& rules) {
        Move chosen = other_move(state, rules, false, 0);
        for (int i = 1; i < other_moves(state, rules, false); i++) {
            const Move move = other_move(state, rules, false, i);
            if (state.points(move, rules) > state.points(chosen, rules)) chosen = move;
        }
        return chosen;
    }
};

// Draws on purpose while that may pay: it has no bonus now, and those that an unseen tile could make
// are worth more on average than the draw costs. Else most points.
struct Hoarder {
    static constexpr bool PLACES_IF_ABLE = false;

    template <int Tiles>
    static Move choose(const State<Tiles>& state, const Rules& rules, Dice& dice) {
        if (state.laid && rules.scoring && state.draws + 1 < rules.max_draws && state.may_draw(rules, true) &&
            pays(state, rules))
            return {Kind::DRAW};
        return MostPoints::choose(state, rules, dice);
    }

   private:
    template <int Tiles>
    static bool pays(const State<Tiles>& state, const Rules& rules) {
        auto unseen = TABLES<Tiles>.all & ~state.rack[state.turn];
        for (int i = 0; i < state.laid; i++) unseen.remove(state.laid_tile[i]);
        const int tiles = unseen.count();
        int sum = 0;
        bool has_one = false;
        const auto whole = at_least<State<Tiles>::SLOTS>(state.pattern_at, PAIRS) & state.open;
        whole.each([&](int slot) {
            const int tile = state.pattern_at[slot] - PAIRS;
            if (tile >= Tiles) return;
            const int points = state.bonus_points(state.bonus(slot, rules), rules);
            if (!points) return;
            has_one = has_one || state.rack[state.turn].has(tile);
            if (unseen.has(tile)) sum += points, unseen.remove(tile);
        });
        return !has_one && sum > HOARD * rules.draw_cost * tiles / 4;
    }
    static constexpr int HOARD = 4;
};

// Strands the others: points, less what the unseen tiles could answer.
struct Blocker {
    static constexpr bool PLACES_IF_ABLE = true;

    template <int Tiles>
    static Move choose(const State<Tiles>& state, const Rules& rules, Dice& dice) {
        if (!state.laid || !(state.candidates(rules) & state.playable()).any())
            return MostPoints::choose(state, rules, dice);
        auto unseen = TABLES<Tiles>.all & ~state.rack[state.turn];
        for (int i = 0; i < state.laid; i++) unseen.remove(state.laid_tile[i]);
        Move moves[State<Tiles>::MOST_MOVES];
        const int count = state.legal(rules, moves);
        int best = -(1 << 30);
        Move chosen = moves[0];
        for (int i = 0; i < count && moves[i].kind == Kind::PLACE; i++) {
            State<Tiles> after = state;
            after.apply(moves[i], rules);
            const int worth = state.points(moves[i], rules) - 2 * answers(after, unseen, rules);
            if (after.over() || worth > best) best = after.over() ? 1 << 30 : worth, chosen = moves[i];
        }
        return chosen;
    }

   private:
    // The tiles that fit, one with a bonus counting as several.
    template <int Tiles, class TileMask>
    static int answers(const State<Tiles>& state, TileMask unseen, const Rules& rules) {
        int sum = (unseen & state.playable()).count();
        const auto whole = at_least<State<Tiles>::SLOTS>(state.pattern_at, PAIRS) & state.open;
        whole.each([&](int slot) {
            const int tile = state.pattern_at[slot] - PAIRS;
            if (tile < Tiles && unseen.has(tile) && state.bonus(slot, rules) != Bonus::NONE) sum += BONUS_ANSWER;
        });
        return sum;
    }
    static constexpr int BONUS_ANSWER = 4;
};

}  // namespace triomino::TRIOMINO_ARCH
