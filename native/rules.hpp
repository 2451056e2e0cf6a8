// The rules as numbers. The values of an enum are in the order of triomino.rules.
#pragma once
#include <array>
#include <cstdint>

namespace triomino {

enum class PlacementSum { ALL, STARTER_ONLY, NONE };
enum class BridgeRule { STRICT, ONE_FREE_SIDE, THREE_CORNERS, APEX_CONTACT };
enum class VoluntaryDraw { FIRST_ONLY, NEVER, ALWAYS };
enum class NextStarter { SET_UP, ROTATE_LEFT, ROUND_WINNER };
enum class Blocked {
    SUBTRACT_OWN,
    LOWEST_TAKES_OTHERS,
    FEWEST_TILES,
    LOWEST_TAKES_OTHERS_MINUS_OWN,
    LOWEST_TAKES_DIFFERENCES,
    FEWEST_TILES_TAKES_OTHERS
};
enum class BlockedTie { EACH, LOSERS_ONLY, NONE, FEWEST_TILES };

inline constexpr int MOST_PLAYERS = 6;

// One number per seat.
using Seats = std::array<std::int32_t, MOST_PLAYERS>;

// All tiles that show the numbers 0 .. numbers - 1, with or without mirror images.
struct TileSet {
    int tiles, numbers;
    bool mirrored;
};
inline constexpr TileSet TILE_SETS[] = {{56, 6, false}, {76, 6, true}, {4, 2, false}, {10, 3, false}, {20, 4, false},
                                        {35, 5, false}, {11, 3, true}, {24, 4, true}, {45, 5, true}};

// The set with this many tiles, or nullptr.
constexpr const TileSet* tile_set(int tiles) {
    for (const TileSet& set : TILE_SETS)
        if (set.tiles == tiles) return &set;
    return nullptr;
}

struct Rules {
    int tiles = 56;                             // the size of one of TILE_SETS
    std::array<int, MOST_PLAYERS + 1> racks{};  // by number of players; 0: not allowed
    bool starts_by_hand = false;                // starter = highest_triple
    bool all_redraw = false;                    // start_redraw = all
    NextStarter next_starter = NextStarter::SET_UP;
    bool opening_draw = false;
    bool starter_free_choice = true;
    int triple_start_bonus = 0;
    int triple_zero_start = -1;  // -1: none
    bool scoring = true;
    PlacementSum placement_sum = PlacementSum::ALL;
    BridgeRule bridge_rule = BridgeRule::STRICT;
    int bridge_bonus = 40;
    std::array<int, 3> hexagon_bonuses{50, 60, 70};
    int draw_cost = 5;
    int max_draws = 3;
    bool draw_ends_turn = false;
    int no_play_extra = 10;
    bool extra_on_last_draw = false;  // no_play_extra_when
    VoluntaryDraw voluntary_draw = VoluntaryDraw::FIRST_ONLY;
    bool drawn_only = false;  // after_draw_play
    bool must_place_after_last_draw = true;
    bool may_keep = false;
    bool one_then_optional = false;  // draw_obligation
    bool voluntary_pass = false;     // empty_pool_pass
    int empty_pool_penalty = 0;
    int out_bonus = 25;
    bool out_takes_opponents = true;
    Blocked blocked = Blocked::SUBTRACT_OWN;
    BlockedTie blocked_tie = BlockedTie::EACH;
    bool all_pass = false;  // blocked_when
    bool floor_at_zero = false;
    int target = 0;                // 0: none
    bool reach = false;            // target_test is >=
    bool latch_any_moment = true;  // target_latch
    bool extra_round = false;      // match_tie
    bool wins_by_ending = false;

    friend bool operator==(const Rules&, const Rules&) = default;
};

enum class Bonus : std::uint8_t { NONE, BRIDGE, HEXAGON, DOUBLE_HEXAGON, TRIPLE_HEXAGON };

// The bonus of an open cell whose corners are all known, seen from an edge that it shares: the number of
// tiles around the two corners of that edge and the one opposite, and whether there are neighbours
// across the edges on the left and right.
inline Bonus bonus_of(const Rules& rules, int first, int second, int apex, bool left, bool right) {
    const int rings = (first == 5) + (second == 5) + (apex == 5);
    if (rings) return Bonus(int(Bonus::HEXAGON) + rings - 1);
    bool bridge = false;
    switch (rules.bridge_rule) {
        case BridgeRule::STRICT: bridge = !left && !right; break;
        case BridgeRule::ONE_FREE_SIDE: bridge = !(left && right); break;
        case BridgeRule::THREE_CORNERS: bridge = true; break;
        case BridgeRule::APEX_CONTACT:
            // A tile at the corner opposite a shared edge that is no neighbour of the cell.
            bridge = apex > left + right || (left && second > 1 + right) || (right && first > 1 + left);
            break;
    }
    return bridge ? Bonus::BRIDGE : Bonus::NONE;
}

inline int bonus_points(const Rules& rules, Bonus bonus) {
    if (bonus == Bonus::NONE) return 0;
    if (bonus == Bonus::BRIDGE) return rules.bridge_bonus;
    return rules.hexagon_bonuses[std::size_t(bonus) - std::size_t(Bonus::HEXAGON)];
}

// The points of a placement; *opens* if it is the first tile of a round.
inline int placement_points(const Rules& rules, int value, bool triple, Bonus bonus, bool opens) {
    if (!rules.scoring) return 0;
    if (!opens) return (rules.placement_sum == PlacementSum::ALL ? value : 0) + bonus_points(rules, bonus);
    if (!value && rules.triple_zero_start >= 0) return rules.triple_zero_start;
    return (rules.placement_sum != PlacementSum::NONE ? value : 0) + (triple ? rules.triple_start_bonus : 0);
}

// Whether a round follows the classic rules; tile set, rack sizes and match rules may differ.
bool plays_as_classic(Rules rules);

// Whether it does as long as every player who can place does so.
bool places_as_classic(Rules rules);

}  // namespace triomino
