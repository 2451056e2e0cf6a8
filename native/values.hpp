// What is still to come in a round, as tools/learn_values.py learned it: it writes the numbers.
#pragma once
#include "rules.hpp"

namespace triomino {

inline constexpr int UNIT = 64;  // parts of a point

struct Values {
    int pips;           // for each number on the own rack
    int tile;           // for each tile there
    int playable;       // for each of them that fits somewhere
    int stuck;          // if none does
    int bonus;          // for each point of the highest bonus that one of them makes
    int other_bonuses;  // for each point of the others
    int turn;           // for being the one to move
    int spread;         // how far all that may be from what comes
};

inline constexpr int STAGES = 5, MOST_JUDGED = 3;  // among more players it did not pay

// Whether they were learned by these rules: the classic ones, but one who can place may draw on and
// need not place. They proved themselves with 76 tiles, too.
bool values_hold(const Rules& rules, int players);

// Between two and among three, by how far the round has come.
inline constexpr Values VALUES[2][STAGES] = {
    {
        {32, -170, 514, 947, 60, 38, 163, 4035},
        {31, -162, 419, -1670, 56, 41, 83, 7246},
        {52, 913, 60, -1200, 31, 25, 146, 7953},
        {59, 815, 303, 98, 67, 24, 288, 6339},
        {69, 1222, 256, -428, 32, 38, 349, 8831},
    },
    {
        {20, -382, 629, 128, 61, 14, 150, 3065},
        {35, -606, 536, -1548, 60, 33, 116, 4436},
        {41, 264, 333, -613, 59, 27, 103, 5072},
        {42, 392, 311, -543, 63, 36, 159, 4382},
        {52, 526, 249, -345, 66, 49, 144, 5365},
    },
};

}  // namespace triomino
