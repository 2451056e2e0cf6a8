// The learned evaluation of a position. tools/learn_values.py writes the numbers.
#pragma once
#include "rules.hpp"

namespace triomino {

inline constexpr int UNIT = 64;  // values are in 1/UNIT of a point

struct Values {
    int pips;           // for each pip on the rack
    int tile;           // for each tile on the rack
    int playable;       // for each tile that fits somewhere
    int stuck;          // if no tile fits
    int bonus;          // for each point of the highest bonus a tile on the rack can make
    int other_bonuses;  // for each point of the other bonuses
    int turn;           // for being to move
    int spread;         // the standard error of the prediction
};

inline constexpr int STAGES = 5, MOST_EVALUATED_PLAYERS = 3;  // with more players it made no bot stronger

// Whether the values apply to these rules. They were learned with the classic rules, except that a
// player who can place may also draw, and need not place after the last draw. Matches showed that they
// work with 76 tiles as well.
bool values_apply(const Rules& rules, int players);

// For two and for three players, by stage of the round.
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
