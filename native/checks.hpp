// Checks of what comes from outside, shared by all interfaces of the kernel. Each returns why the input
// is refused, or nullptr; nothing is thrown, because the build for browsers has no exceptions.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "engine.hpp"
#include "rules.hpp"

namespace triomino {

// A field of the rules as other languages name it: a whole number from *least* to *most*.
struct RuleField {
    const char* name;
    int least, most;
    void (*set)(Rules& rules, int value);
};

// All fields, in the order in which an interface without names passes them.
std::span<const RuleField> rule_fields();

// Read rules from a number for each of rule_fields(), in their order. *wrong* is the field that is out
// of range, or nullptr if the fields contradict each other.
const char* read_rules(std::span<const std::int64_t> numbers, Rules& rules, const char** wrong);

const char* check_players(const Rules& rules, int players);

// The index of the tile with these corners among all 76.
int tile_showing(int a, int b, int c);

struct MoveNumbers {
    int kind, x, y, down, a, b, c;
};
const char* read_move(const MoveNumbers& given, PlainMove& move);

const char* read_tile(int tile, TileList& tiles);

const char* read_total(std::int64_t total, std::int32_t& out);

const char* check_limit(const SearchLimit& limit);

}  // namespace triomino
