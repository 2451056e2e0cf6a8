// Any layout of tiles, as the referee is shown it: in several pieces, or with a tile twice. Rounds are
// played on the boards of state.hpp.
#pragma once
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine.hpp"

namespace triomino {

// Why a move is refused, in the order of triomino.errors.Why.
enum class Why : std::uint8_t {
    NONE,
    NOT_IN_SET,
    ALREADY_LAID,
    OCCUPIED,
    NO_SHARED_EDGE,
    CORNER_MISMATCH,
    NOT_HELD,
    NOT_THE_OPENING_TILE,
    NOT_THE_START_CELL,
    NOT_THE_DRAWN_TILE,
    MUST_OPEN,
    MUST_PLACE,
    MUST_DRAW,
    MUST_PASS,
    MUST_END,
    MUST_PLACE_OR_KEEP,
    POOL_EMPTY,
    NO_MORE_DRAWS,
    NOTHING_TO_KEEP,
    ROUND_OVER
};

inline bool has_tile(const TileBits& tiles, int tile) { return tiles[std::size_t(tile) >> 6] >> (tile & 63) & 1; }
inline void add_tile(TileBits& tiles, int tile) { tiles[std::size_t(tile) >> 6] |= std::uint64_t{1} << (tile & 63); }
inline void remove_tile(TileBits& tiles, int tile) {
    tiles[std::size_t(tile) >> 6] &= ~(std::uint64_t{1} << (tile & 63));
}
inline int count_tiles(const TileBits& tiles) { return std::popcount(tiles[0]) + std::popcount(tiles[1]); }

// The tiles of the set that the rules are played with.
TileBits tiles_of(const Rules& rules);

class Board {
   public:
    // Lay a tile; returns why the board is impossible then, or nullptr.
    const char* lay(const PlainMove& place, bool repeats = false);

    Why why_not(const PlainMove& place) const;
    // The bonus of a tile that may be laid there.
    Bonus bonus(const PlainMove& place, const Rules& rules) const;
    // The numbers that the corners of a cell have already.
    std::vector<int> known_numbers(const PlainMove& place) const;
    // Every placement of a tile of the set, in no particular order.
    std::vector<PlainMove> placements(const TileBits& tiles) const;

    const TileBits& laid() const { return laid_; }
    bool empty() const { return cells_.empty(); }

   private:
    struct Cell {
        std::int64_t x, y;
        bool down;
    };
    struct Vertex {
        int number, tiles;
    };
    static std::int64_t key(std::int64_t x, std::int64_t y) { return y * (std::int64_t{1} << 33) + x; }
    static std::int64_t key(const Cell& cell) { return key(2 * cell.x + cell.down, cell.y); }
    static std::int64_t vertex(const Cell& cell, int corner);
    static Cell neighbour(const Cell& cell, int edge);
    bool has(const Cell& cell) const { return cells_.contains(key(cell)); }
    // The number at a vertex, or -1, and how many tiles meet there.
    Vertex at(const Cell& cell, int corner) const;

    std::unordered_map<std::int64_t, Cell> cells_;
    std::unordered_map<std::int64_t, Vertex> vertices_;
    TileBits laid_{};
};

}  // namespace triomino
