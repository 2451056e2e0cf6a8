// See board.hpp. Compiled for the baseline instruction set.
#include "board.hpp"

#include "checks.hpp"

namespace triomino {

TileBits tiles_of(const Rules& rules) {
    const TileSet& set = *tile_set(rules.tiles);
    TileBits out{};
    for (int a = 0; a < set.numbers; a++)
        for (int b = a; b < set.numbers; b++)
            for (int c = a; c < set.numbers; c++)
                if (set.mirrored || b <= c) add_tile(out, tile_showing(a, b, c));
    return out;
}

std::int64_t Board::vertex(const Cell& cell, int corner) {
    if (cell.down) return corner == 1 ? key(cell.x, cell.y + 1) : key(cell.x + 1, cell.y + corner / 2);
    return corner == 1 ? key(cell.x, cell.y + 1) : key(cell.x + corner / 2, cell.y);
}

Board::Cell Board::neighbour(const Cell& cell, int edge) {
    if (cell.down) return {edge == 2 ? cell.x + 1 : cell.x, edge == 1 ? cell.y + 1 : cell.y, false};
    return {edge == 0 ? cell.x - 1 : cell.x, edge == 2 ? cell.y - 1 : cell.y, true};
}

Board::Vertex Board::at(const Cell& cell, int corner) const {
    const auto found = vertices_.find(vertex(cell, corner));
    return found == vertices_.end() ? Vertex{-1, 0} : found->second;
}

const char* Board::lay(const PlainMove& place, bool repeats) {
    const Cell cell{place.x, place.y, place.down != 0};
    if (has(cell)) return "two tiles on one cell";
    for (int i = 0; i < 3; i++) {
        const int number = at(cell, i).number;
        if (number >= 0 && number != place.numbers[std::size_t(i)]) return "the corners disagree with the tiles around";
    }
    if (!repeats && has_tile(laid_, place.tile)) return "a tile lies on the board twice";
    cells_.emplace(key(cell), cell);
    for (int i = 0; i < 3; i++) {
        Vertex& here = vertices_[vertex(cell, i)];
        here.number = place.numbers[std::size_t(i)];
        here.tiles++;
    }
    add_tile(laid_, place.tile);
    return nullptr;
}

Why Board::why_not(const PlainMove& place) const {
    const Cell cell{place.x, place.y, place.down != 0};
    if (has(cell)) return Why::OCCUPIED;
    if (empty()) return Why::NONE;
    bool shares = false;
    for (int edge = 0; edge < 3; edge++) shares = shares || has(neighbour(cell, edge));
    if (!shares) return Why::NO_SHARED_EDGE;
    for (int i = 0; i < 3; i++) {
        const int number = at(cell, i).number;
        if (number >= 0 && number != place.numbers[std::size_t(i)]) return Why::CORNER_MISMATCH;
    }
    return Why::NONE;
}

Bonus Board::bonus(const PlainMove& place, const Rules& rules) const {
    const Cell cell{place.x, place.y, place.down != 0};
    int edge = 0;
    while (edge < 3 && !has(neighbour(cell, edge))) edge++;
    if (edge == 3) return Bonus::NONE;
    const Vertex first = at(cell, edge), second = at(cell, (edge + 1) % 3), apex = at(cell, (edge + 2) % 3);
    if (apex.number < 0) return Bonus::NONE;
    const bool left = has(neighbour(cell, (edge + 2) % 3)), right = has(neighbour(cell, (edge + 1) % 3));
    return bonus_of(rules, first.tiles, second.tiles, apex.tiles, left, right);
}

std::vector<int> Board::known_numbers(const PlainMove& place) const {
    std::vector<int> out;
    for (int i = 0; i < 3; i++) {
        const int number = at({place.x, place.y, place.down != 0}, i).number;
        if (number >= 0) out.push_back(number);
    }
    return out;
}

std::vector<PlainMove> Board::placements(const TileBits& tiles) const {
    std::vector<PlainMove> out;
    const auto try_at = [&](const Cell& cell) {
        for (int i = 0; i < 216; i++) {
            PlainMove place;
            if (read_move({0, int(cell.x), int(cell.y), cell.down, i / 36, i / 6 % 6, i % 6}, place)) continue;
            if (has_tile(tiles, place.tile) && why_not(place) == Why::NONE) out.push_back(place);
        }
    };
    if (empty()) {
        try_at({0, 0, false});
        return out;
    }
    std::unordered_map<std::int64_t, Cell> open;
    for (const auto& [at, cell] : cells_)
        for (int edge = 0; edge < 3; edge++) {
            const Cell beside = neighbour(cell, edge);
            if (!has(beside)) open.emplace(key(beside), beside);
        }
    for (const auto& [at, cell] : open) try_at(cell);
    return out;
}

}  // namespace triomino
