// The lattice in integer arithmetic. Vertex (x, y) is the number y * ROW + x; a cell is twice the
// number of its vertex, plus one if it points down. Seen from one of its three edges, the base, the
// corners of a cell are, clockwise: first, second, apex. Base i joins corner i and the next.
//
// Numbers are reduced modulo the size of the board only to index an array. A board is never wider
// than ROW, so numbers sort in the order of cells: row by row from the bottom.
#pragma once
#include <array>
#include <cstdint>

namespace triomino::TRIOMINO_ARCH {

// A *spot* is an open cell together with a base: 4 * cell + base. Its three lowest bits index FACINGS,
// and the offset to a neighbouring spot is a constant.
struct Neighbour {
    std::int16_t step;  // from the spot to the neighbour's spot whose base is the shared edge
    std::int16_t cell;  // from the cell to that neighbour
    std::int16_t apex;  // from the cell's vertex to the neighbour's apex
};

// Offsets around a cell, for one orientation and base.
struct alignas(64) Facing {
    std::int16_t first, second, apex;  // from the cell's vertex: its corners
    Neighbour base;                    // across the base
    Neighbour left;                    // across the edge from apex to first
    Neighbour right;                   // across the edge from second to apex
    // The other three cells around the apex, and the four vertices of these, counter-clockwise.
    std::array<std::int16_t, 3> ring_cell;    // from twice the apex
    std::array<std::int16_t, 4> ring_vertex;  // from the apex
};

constexpr int spot_of(int cell, int base = 0) { return 4 * cell + base; }
constexpr int cell_of(int spot) { return spot >> 2; }

template <int ROW>
constexpr std::array<Facing, 8> facings() {
    constexpr int vertex[2][3] = {{0, ROW, 1}, {1, ROW, ROW + 1}};
    constexpr int beside[2][3] = {{-1, 1, 1 - 2 * ROW}, {-1, 2 * ROW - 1, 1}};
    // Counter-clockwise around a vertex: the vertices, and the cells between each and the next.
    constexpr int spoke[6] = {1, ROW, ROW - 1, -1, -ROW, 1 - ROW};
    constexpr int sector[6] = {0, -1, -2, -1 - 2 * ROW, -2 * ROW, 1 - 2 * ROW};
    std::array<Facing, 8> out{};
    for (int down = 0; down < 2; down++)
        for (int base = 0; base < 3; base++) {
            const auto neighbour = [&](int edge) {
                const int other = (edge + (down ? 1 : 2)) % 3;  // the shared edge in the neighbour's numbering
                const int step = beside[down][edge];
                // The vertex of the neighbour, from that of the cell.
                const int corner = (step + down - (1 - down)) / 2;
                return Neighbour{std::int16_t(4 * step + other - base), std::int16_t(step),
                                 std::int16_t(corner + vertex[1 - down][(other + 2) % 3])};
            };
            Facing& f = out[4 * down + base];
            f.first = std::int16_t(vertex[down][base]);
            f.second = std::int16_t(vertex[down][(base + 1) % 3]);
            f.apex = std::int16_t(vertex[down][(base + 2) % 3]);
            f.base = neighbour(base);
            f.left = neighbour((base + 2) % 3);
            f.right = neighbour((base + 1) % 3);
            int own = 0;  // the sector in which the cell lies, seen from its apex
            while (2 * f.apex + sector[own] != down) own++;
            for (int i = 0; i < 3; i++) f.ring_cell[i] = std::int16_t(sector[(own + 2 + i) % 6]);
            for (int i = 0; i < 4; i++) f.ring_vertex[i] = std::int16_t(spoke[(own + 2 + i) % 6]);
        }
    return out;
}

template <int ROW>
inline constexpr std::array<Facing, 8> FACINGS = facings<ROW>();

}  // namespace triomino::TRIOMINO_ARCH
