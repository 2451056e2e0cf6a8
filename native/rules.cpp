// Comparisons with the classic rules. Compiled for the baseline instruction set.
#include "rules.hpp"

namespace triomino {

bool plays_as_classic(Rules rules) {
    constexpr Rules classic{};
    rules.tiles = classic.tiles;
    rules.racks = classic.racks;
    rules.all_redraw = classic.all_redraw;
    rules.next_starter = classic.next_starter;
    rules.target = classic.target;
    rules.reach = classic.reach;
    rules.latch_any_moment = classic.latch_any_moment;
    rules.extra_round = classic.extra_round;
    return rules == classic;
}

bool places_as_classic(Rules rules) {
    constexpr Rules classic{};
    rules.voluntary_draw = classic.voluntary_draw;
    rules.must_place_after_last_draw = classic.must_place_after_last_draw;
    return plays_as_classic(rules);
}

}  // namespace triomino
