// The kernel as one function over whole numbers, for programs that cannot use the Python bindings: the
// page calls it as WebAssembly (wasm.cpp), and tests through bind.cpp, too. tests/agreement/calls.py and
// web/src/lib/kernel/kernel.ts read and write the numbers of every call.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace triomino {

enum class Call : std::int32_t {
    OPEN = 1,      // rules, players, seeds: begin a match -> its handle
    CLOSE,         // handle
    MATCH,         // handle -> the standing of the match
    ROUND,         // handle, round -> how it began, who holds what, its end
    PLIES,         // handle, round, first -> its moves from there on
    CHOICES,       // handle -> the legal moves with their points
    WHY_NOT,       // handle, move -> why it is refused
    PLAY,          // handle, move -> why it is refused; 0 if it was played
    UNDO,          // handle, count
    NEXT_ROUND,    // handle
    ABANDON,       // handle, seat (-1: everybody)
    WINNERS_WITH,  // handle, a head start for every seat -> seats
    SAMPLE,        // handle, seat, dice, count -> dice, positions that the seat may be in
    SEARCH,        // handle, effort, dice, whether to keep a move, the move -> dice, candidates
    CHOOSE,        // handle, level, dice, rollouts, nanoseconds -> dice, a move
    FACTS,         // handle, dice, move -> dice, facts
    JUDGE,         // rules, strict, board, place -> why, value, bonus, points
    PLACEMENTS,    // rules, strict, board, tiles -> moves
    DEAL,          // rules, players, starter (-1: to be found), key -> racks, pool, starter, draws
    SHA256,        // bytes -> bytes
    ROUND_KEY,     // round, seeds -> the key that deals it
    NETWORK,       // bytes: the weights of the network that judges positions
    OPEN_DEALT,    // rules, players, the deal of every round: begin a match that is recorded -> its handle
    ASSESS,        // handle, round, ply, effort, seed -> shares, shares before a draw, decision: review.hpp
    CHANCES,       // handle, round, calibration, shares as ASSESS gives them -> chances, luck
};

// Carry out a call. The answer begins with 0, or is 1 and the text of a refusal, a number for each byte.
std::vector<std::int32_t> call(Call what, std::span<const std::int32_t> numbers);

}  // namespace triomino
