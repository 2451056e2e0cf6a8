// Tables for the two full tile sets, built at compile time. A smaller set is a deck: the tiles of a
// full set that are dealt.
//
// The kernel numbers tiles by descending value, equal ones in ascending order, so the lowest bit of a
// mask is a tile of the highest value.
#pragma once
#include <array>
#include <cstdint>

#include "mask.hpp"
#include "rules.hpp"

namespace triomino::TRIOMINO_ARCH {

// The pattern of an open cell: an ordered pair of numbers (0..35), the one tile that fits its three
// known corners (36 + tile), or NOTHING if no tile does.
inline constexpr int PAIRS = 36;

template <int Tiles>
struct Set;

template <>
struct Set<56> {
    static constexpr int WORDS = 1;
    static constexpr int SLOTS = 64;       // open cells are at most tiles + 2
    static constexpr int ROW = 32;         // a board of 56 tiles in one piece is 30 vertices wide
    static constexpr int VERTICES = 1024;  // so indices modulo this never collide
};

template <>
struct Set<76> {
    static constexpr int WORDS = 2;
    static constexpr int SLOTS = 96;
    static constexpr int ROW = 45;  // 40 vertices, an empty one on each side, and some to spare
    static constexpr int VERTICES = 2048;
};

template <int Tiles>
struct Tables {
    static constexpr int SLOTS = Set<Tiles>::SLOTS;
    static constexpr int NOTHING = PAIRS + Tiles;
    using TileMask = Mask<Set<Tiles>::WORDS>;

    // Corners, clockwise, in the smallest rotation.
    std::array<std::array<std::uint8_t, 3>, Tiles> corners{};
    std::array<std::uint8_t, Tiles> value{};
    std::array<bool, Tiles> triple{};
    // The ranking for the start: triples first, then by value, then by corners descending.
    std::array<std::uint16_t, Tiles> rank{};
    // The index of a tile among all 76 in ascending order, and back (255: not in this set).
    std::array<std::uint8_t, Tiles> public_index{};
    std::array<std::uint8_t, 76> of_public{};
    // The four patterns a tile fits.
    std::array<std::array<std::uint8_t, 4>, Tiles> patterns{};
    // By corners as number + 1 (0: unknown), packed a << 6 | b << 3 | c; only c may be unknown.
    std::array<std::uint8_t, 512> pattern{};
    // By pattern: 1 for every tile that fits.
    alignas(64) std::array<std::array<std::uint8_t, SLOTS>, NOTHING + 1> fits{};
    std::array<TileMask, 16> of_value{};
    std::array<TileMask, 4> value_bits{};  // by binary digit: the tiles whose value has it
    TileMask all{}, triples{};

    constexpr Tables() {
        int count = 0, ascending = 0;
        std::array<std::array<int, 3>, 76> all_tiles{};
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++)
                for (int c = 0; c < 6; c++) {
                    const int self = a * 36 + b * 6 + c;
                    if (self <= b * 36 + c * 6 + a && self <= c * 36 + a * 6 + b) all_tiles[ascending++] = {a, b, c};
                }
        for (auto& index : of_public) index = 255;
        for (int wanted = 15; wanted >= 0; wanted--)
            for (int i = 0; i < 76; i++) {
                const auto [a, b, c] = all_tiles[i];
                if (a + b + c != wanted || (Tiles == 56 && !(a <= b && b <= c))) continue;
                corners[count] = {std::uint8_t(a), std::uint8_t(b), std::uint8_t(c)};
                public_index[count] = std::uint8_t(i);
                of_public[i] = std::uint8_t(count++);
            }
        for (auto& known : pattern) known = NOTHING;
        for (int x = 0; x < 6; x++)
            for (int y = 0; y < 6; y++) pattern[(x + 1) << 6 | (y + 1) << 3] = std::uint8_t(x * 6 + y);
        for (int t = 0; t < Tiles; t++) {
            const int a = corners[t][0], b = corners[t][1], c = corners[t][2];
            value[t] = std::uint8_t(a + b + c);
            triple[t] = a == b && b == c;
            int high = a > b ? a : b, low = a > b ? b : a;
            high = c > high ? c : high, low = c < low ? c : low;
            rank[t] = std::uint16_t(triple[t] << 14 | value[t] << 9 | high << 6 | (a + b + c - high - low) << 3 | low);
            patterns[t] = {std::uint8_t(a * 6 + b), std::uint8_t(b * 6 + c), std::uint8_t(c * 6 + a),
                           std::uint8_t(PAIRS + t)};
            for (auto p : patterns[t]) fits[p][t] = 1;
            pattern[(a + 1) << 6 | (b + 1) << 3 | (c + 1)] = std::uint8_t(PAIRS + t);
            pattern[(b + 1) << 6 | (c + 1) << 3 | (a + 1)] = std::uint8_t(PAIRS + t);
            pattern[(c + 1) << 6 | (a + 1) << 3 | (b + 1)] = std::uint8_t(PAIRS + t);
            of_value[value[t]].add(t);
            for (int bit = 0; bit < 4; bit++) value_bits[bit].put(t, value[t] >> bit & 1);
            all.add(t);
            if (triple[t]) triples.add(t);
        }
    }
};

template <int Tiles>
inline constexpr Tables<Tiles> TABLES{};

// The tiles that show only the numbers 0 .. numbers - 1.
template <int Tiles>
struct Deck {
    int count = 0;
    std::array<std::uint8_t, Tiles> tile{};       // in the order of the kernel
    std::array<std::uint8_t, Tiles> ascending{};  // in the order of triomino.tile
    std::array<std::uint8_t, Tiles> place{};      // by tile: its index in ascending
    Mask<Set<Tiles>::WORDS> all{};

    explicit constexpr Deck(int numbers) {
        const auto& table = TABLES<Tiles>;
        const auto shows_more = [&](int t) {
            const auto& corner = table.corners[t];
            return corner[0] >= numbers || corner[1] >= numbers || corner[2] >= numbers;
        };
        for (int t = 0; t < Tiles; t++) {
            if (shows_more(t)) continue;
            tile[count++] = std::uint8_t(t);
            all.add(t);
        }
        for (int i = 0, next = 0; i < 76; i++) {
            const int t = table.of_public[i];
            if (t == 255 || shows_more(t)) continue;
            ascending[next] = std::uint8_t(t);
            place[t] = std::uint8_t(next++);
        }
    }
};

template <int Tiles>
inline constexpr std::array<Deck<Tiles>, 5> DECKS{Deck<Tiles>(2), Deck<Tiles>(3), Deck<Tiles>(4), Deck<Tiles>(5),
                                                  Deck<Tiles>(6)};

template <int Tiles>
const Deck<Tiles>& deck_of(const Rules& rules) {
    return DECKS<Tiles>[tile_set(rules.tiles)->numbers - 2];
}

}  // namespace triomino::TRIOMINO_ARCH
