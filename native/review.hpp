// The review of a match: triomino.analysis.review and triomino.analysis.chances, a ply at a time, so that
// several Workers can share a match. Equal seeds give equal answers; sums are made in Python's order.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "round.hpp"
#include "thinking.hpp"

namespace triomino {

// The part of a round that each seat is expected to win.
using Shares = std::array<double, MOST_PLAYERS>;

enum class Mark { NONE, INACCURACY, MISTAKE, BLUNDER };

// What a move is worth.
struct Estimate {
    PlainMove move;
    double win = 0, margin = 0, error = 0;
    bool exact = false;
};

struct Decision {
    Estimate played, best;
    double noise = 0;
    Mark mark = Mark::NONE;
    std::vector<Fact> why;  // about the best move, if there is a mark
};

// What is found at one ply of a round.
struct Assessment {
    std::optional<Shares> shares;  // of the position before it; nothing if it was forced
    std::optional<Shares> drawn;   // of a draw, before its tile was known
    std::optional<Decision> decision;
};

// Assess the ply with this index; with the number of plies, the position after the last one. *number* is
// that of the round in its match, from 0.
Assessment assess(const Round& round, int number, int ply, const Effort& effort, std::int64_t seed);

// How the shares of a judge become chances: triomino.analysis.calibration.
struct Calibration {
    double slope = 1, slope_left = 0;
    Shares strengths{};
};

// The chances of every seat before the first ply and after every one, and its luck.
struct Chances {
    std::vector<Shares> after;
    Shares luck{};
};

// *found* has the assessments of all plies and of the position after the last one.
Chances chances(const Round& round, const std::vector<Assessment>& found, const Calibration& map);

}  // namespace triomino
