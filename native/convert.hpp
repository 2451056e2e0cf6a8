// Conversion between a State and the plain data of engine.hpp.
#pragma once
#include "engine.hpp"
#include "state.hpp"

namespace triomino::TRIOMINO_ARCH {

// The coordinates of all taken and open cells, found by a breadth-first walk from the first tile.
template <int Tiles>
class Coordinates {
   public:
    using S = State<Tiles>;

    explicit Coordinates(const S& state) {
        if (!state.laid) return;
        std::uint16_t waiting[2 * (Tiles + S::SLOTS)];
        int first = 0, last = 0;
        const auto reach = [&](int index, int x, int y) {
            if (seen_[index] || state.slot_of[index] == S::EMPTY) return;
            seen_[index] = true;
            x_[index] = std::int16_t(x), y_[index] = std::int16_t(y);
            if (state.slot_of[index] == S::TAKEN) waiting[last++] = std::uint16_t(index);
        };
        reach(state.laid_cell[0] & 1, 0, 0);
        while (first < last) {
            const int index = waiting[first++], x = x_[index], y = y_[index], down = index & 1;
            const auto beside = [&](int step) { return S::cell_index(index + step); };
            reach(beside(-1), down ? x : x - 1, y);
            reach(beside(1), down ? x + 1 : x, y);
            reach(beside(down ? 2 * S::ROW - 1 : 1 - 2 * S::ROW), x, down ? y + 1 : y - 1);
        }
    }
    void locate(const S& state, int cell, PlainMove& out) const {
        const int index = S::cell_index(cell);
        out.x = state.origin_x + x_[index];
        out.y = state.origin_y + y_[index];
        out.down = std::uint8_t(cell & 1);
    }

   private:
    bool seen_[2 * S::VERTICES] = {};
    std::int16_t x_[2 * S::VERTICES], y_[2 * S::VERTICES];
};

template <int Tiles>
std::array<std::uint8_t, 3> numbers_at(const State<Tiles>& state, int cell) {
    using S = State<Tiles>;
    const Facing& f = S::facing(spot_of(cell));
    const auto number = [&](int step) {
        return std::uint8_t((state.vertex[S::vertex_index((cell >> 1) + step)] & 7) - 1);
    };
    return {number(f.first), number(f.second), number(f.apex)};
}

template <int Tiles>
PlainMove plain_move(const State<Tiles>& state, const Move& move, const Coordinates<Tiles>& coordinates) {
    const auto& table = TABLES<Tiles>;
    PlainMove out;
    out.kind = std::uint8_t(move.kind);
    if (move.kind != Kind::PLACE) return out;
    out.tile = table.public_index[move.tile];
    const auto& corners = table.corners[move.tile];
    if (!state.laid) {
        for (int i = 0; i < 3; i++) out.numbers[i] = corners[(i + move.turn) % 3];
        return out;
    }
    const int cell = cell_of(state.spot[move.slot]);
    coordinates.locate(state, cell, out);
    out.numbers = numbers_at(state, cell);
    for (auto& number : out.numbers)  // an unknown corner shows the rest of the tile's value
        if (number == 255) {
            int left = table.value[move.tile];
            for (auto other : out.numbers) left -= other == 255 ? 0 : other;
            number = std::uint8_t(left);
        }
    return out;
}

template <int Tiles>
void dump_state(const State<Tiles>& state, Position& out) {
    const auto& table = TABLES<Tiles>;
    const Coordinates<Tiles> coordinates(state);
    out = Position{};
    out.players = state.players, out.turn = state.turn, out.starter = state.starter, out.idle = state.idle;
    out.ending = int(state.ending), out.end_seats = state.end_seats, out.latched = state.latched;
    out.laid = state.laid;
    for (int i = 0; i < state.laid; i++) {
        PlainMove& place = out.board[i];
        place.tile = table.public_index[state.laid_tile[i]];
        coordinates.locate(state, state.laid_cell[i], place);
        place.numbers = numbers_at(state, state.laid_cell[i]);
    }
    for (int i = 0; i < state.draws; i++) out.drawn.add(table.public_index[state.pool[state.next - state.draws + i]]);
    for (int seat = 0; seat < state.players; seat++) {
        // In ascending order, except that tiles drawn in this turn come last, as drawn.
        std::uint8_t order[Tiles];
        auto rack = state.rack[seat];
        if (seat == state.turn)
            for (int i = 0; i < state.draws; i++) rack.remove(state.pool[state.next - state.draws + i]);
        const int count = State<Tiles>::in_public_order(rack, order);
        for (int i = 0; i < count; i++) out.rack[seat].add(table.public_index[order[i]]);
        if (seat == state.turn)
            for (int i = 0; i < out.drawn.count; i++) out.rack[seat].add(out.drawn.tile[i]);
        out.total[seat] = state.total[seat];
    }
    for (int i = state.next; i < state.pool_end; i++) out.pool.add(table.public_index[state.pool[i]]);
}

// Lay the first tile of *from* on an empty board.
template <int Tiles>
void lay_first_as(State<Tiles>& board, const State<Tiles>& from) {
    const int tile = from.laid_tile[0], cell = from.laid_cell[0];
    const auto numbers = numbers_at(from, cell);
    const auto& corners = TABLES<Tiles>.corners[tile];
    int way = 0;
    while (way < 2 && !(corners[way] == numbers[0] && corners[(way + 1) % 3] == numbers[1] &&
                        corners[(way + 2) % 3] == numbers[2]))
        way++;
    board.lay_first(tile, way, cell & 1);
}

// Lay the tiles of a position; returns why that is impossible, or nullptr.
template <int Tiles>
const char* load_board(State<Tiles>& state, const Position& in) {
    using S = State<Tiles>;
    const auto& table = TABLES<Tiles>;
    bool done[Tiles] = {};
    std::int16_t cells[Tiles];
    state.origin_x = in.laid ? in.board[0].x : 0, state.origin_y = in.laid ? in.board[0].y : 0;
    for (int progress = 1; progress;) {
        progress = 0;
        for (int i = 0; i < in.laid; i++) {
            if (done[i]) continue;
            const PlainMove& place = in.board[i];
            const int tile = table.of_public[place.tile];
            const std::int64_t dx = std::int64_t{place.x} - state.origin_x, dy = std::int64_t{place.y} - state.origin_y;
            if (dx > Tiles || dx < -Tiles || dy > Tiles || dy < -Tiles) continue;
            const int cell = int(2 * (dy * S::ROW + dx)) + place.down;
            if (!i) {
                const auto& corners = table.corners[tile];
                const auto shows = [&](int way) {
                    return corners[way] == place.numbers[0] && corners[(way + 1) % 3] == place.numbers[1] &&
                           corners[(way + 2) % 3] == place.numbers[2];
                };
                int way = 0;
                while (way < 3 && !shows(way)) way++;
                if (way == 3) return "a tile does not show these numbers";
                state.lay_first(tile, way, place.down);
            } else {
                const int slot = state.slot_of[S::cell_index(cell)];
                // Not open yet, or another cell with the same index modulo the board.
                if (slot >= S::SLOTS || cell_of(state.spot[slot]) != cell) continue;
                if (!state.slots_for(tile).has(slot)) return "corners disagree";
                state.lay(tile, slot, Rules{});
                if (numbers_at(state, cell) != place.numbers) return "corners disagree";
            }
            cells[i] = std::int16_t(cell);
            done[i] = true;
            progress++;
        }
    }
    for (int i = 0; i < in.laid; i++) {
        if (!done[i]) return "the board is not in one piece";
        state.laid_tile[i] = table.of_public[in.board[i].tile];
        state.laid_cell[i] = cells[i];
    }
    return nullptr;
}

template <int Tiles>
const char* load_state(State<Tiles>& state, const Rules& rules, const Position& in) {
    const auto& table = TABLES<Tiles>;
    if (in.players < 2 || in.players > MOST_PLAYERS) return "there are 2 to 6 players";
    if (in.turn < 0 || in.turn >= in.players || in.starter < 0 || in.starter >= in.players) return "no such seat";
    if (in.ending < 0 || in.ending > 2 || in.idle < 0 || in.idle > in.players) return "no such state of a round";
    state.clear(in.players);
    typename State<Tiles>::TileMask seen;
    const auto in_deck = [&](int tile) {
        return tile < 76 && table.of_public[tile] != 255 && deck_of<Tiles>(rules).all.has(table.of_public[tile]);
    };
    const auto take = [&](int tile) {
        if (!in_deck(tile) || seen.has(table.of_public[tile])) return false;
        seen.add(table.of_public[tile]);
        return true;
    };
    for (int i = 0; i < in.laid; i++)
        if (!take(in.board[i].tile)) return "a tile is there twice, or not in the set";
    if (const char* why = load_board(state, in)) return why;
    for (int seat = 0; seat < in.players; seat++) {
        for (int i = 0; i < in.rack[seat].count; i++) {
            if (!take(in.rack[seat].tile[i])) return "a tile is there twice, or not in the set";
            state.give(seat, table.of_public[in.rack[seat].tile[i]], rules);
        }
        if (in.total[seat] > 1'000'000'000 || in.total[seat] < -1'000'000'000) return "a total is too large";
        state.total[seat] = in.total[seat];
    }
    for (int i = 0; i < in.drawn.count; i++) {
        const int tile = in.drawn.tile[i];
        if (!in_deck(tile) || !state.rack[in.turn].has(table.of_public[tile]))
            return "a tile was drawn that is not on the rack";
        if (state.pool_end == Tiles) return "too many tiles were drawn";
        state.pool[state.pool_end++] = table.of_public[tile];
    }
    state.next = state.draws = state.pool_end;
    for (int i = 0; i < in.pool.count; i++) {
        if (!take(in.pool.tile[i])) return "a tile is there twice, or not in the set";
        if (state.pool_end == Tiles) return "too many tiles";
        state.pool[state.pool_end++] = table.of_public[in.pool.tile[i]];
    }
    state.turn = std::uint8_t(in.turn), state.starter = std::uint8_t(in.starter), state.idle = std::uint8_t(in.idle);
    state.latched = in.latched;
    state.ending = EndReason(in.ending), state.end_seats = std::uint8_t(in.end_seats);
    return nullptr;
}

}  // namespace triomino::TRIOMINO_ARCH
