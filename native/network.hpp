// The network that judges a position: integers only, so that every machine and triomino.lab.learning
// compute the same. Its features are what one seat may know; its heads are the margin still to come and
// the chance to win the round.
#pragma once
#include <cstddef>
#include <cstdint>

#include "rules.hpp"

namespace triomino {

// The features. Kinds of tile features: the seat's own tiles and the unseen ones, each as such, if they
// fit somewhere, and if they would make a bridge or a hexagon; and unseen ones that the next seat lacks.
// See Features::each.
inline constexpr int TILE_KINDS = 9;
inline constexpr int TILE_FEATURES = TILE_KINDS * 76;
inline constexpr int NUMBER_FEATURES = 105;  // counts and sums that change from move to move
inline constexpr int NUMBER_ROOM = 112;      // the same, rounded up
inline constexpr int RULE_FEATURES = 49;     // the same throughout a round
inline constexpr int FEATURES = TILE_FEATURES + NUMBER_FEATURES + RULE_FEATURES;

inline constexpr int UNITS = 48, HIDDEN = 16, HEADS = 3;
inline constexpr int BUCKETS = 9;      // by players (2, 3, more) and by what wins a round
inline constexpr int GROUPS = 2;       // of buckets that share a first layer
inline constexpr int CHANCES = 513;    // the logistic function in steps of 1/32 from -8 to 8
inline constexpr int ONE = 4096;       // an activation of 1
inline constexpr int HIDDEN_BITS = 8;  // weights behind the first layer are in 1/256
inline constexpr int OUT_BITS = 12 + HIDDEN_BITS;
inline constexpr int MARGIN_UNIT = 64;    // margins are in 1/64 of a point
inline constexpr int MARGIN_SCALE = 100;  // the head's 1 is 100 points
inline constexpr int LEAD_BITS = 6;       // the slope is for 64 points of lead
inline constexpr int CERTAIN = 1 << 16;   // a chance of 1

struct Network {
    alignas(64) std::int16_t input[GROUPS][FEATURES][UNITS];
    std::int32_t input_bias[GROUPS][UNITS];
    alignas(64) std::int16_t hidden[BUCKETS][HIDDEN][UNITS];
    std::int32_t hidden_bias[BUCKETS][HIDDEN];
    std::int16_t head[BUCKETS][HEADS][HIDDEN];
    std::int32_t head_bias[BUCKETS][HEADS];
    std::int32_t chance[CHANCES];

    // Read the bytes of a file of weights; returns why they are none, or nullptr.
    const char* load(const std::uint8_t* bytes, std::size_t size);
};

// The bucket of a game.
constexpr int network_bucket(const Rules& rules, int players) {
    const int by_players = players < 4 ? players - 2 : 2;
    return 3 * (!rules.scoring ? 2 : rules.wins_by_ending ? 1 : 0) + by_players;
}

// The group of a bucket: rounds of two for points, which are played most, have a first layer of their own.
constexpr int network_group(int bucket) { return bucket != 0; }

struct Judgement {
    std::int32_t margin;  // still to come for the seat, less the mean of the others', in 1/MARGIN_UNIT
    std::int32_t win;     // the chance to win the round, of CERTAIN
};

}  // namespace triomino
