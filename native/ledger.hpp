// The score sheet of a match, with the names of triomino.ledger: totals, the target, the last round,
// winners and the next starter are decided here and nowhere else. Sets of seats are bit masks.
//
// Matches in the kernel are played by the same players in the order of their seats, so the operations
// seated and adjusted of triomino.ledger are not implemented.
#pragma once
#include <cstdint>
#include <span>

#include "rules.hpp"

namespace triomino {

enum class EndReason : std::uint8_t { NONE, OUT, BLOCKED, ABANDONED };  // NONE while the round is in progress

// Why points were won or lost, in the order of triomino.scoring.Reason.
enum class Reason : std::uint8_t {
    TILE,
    START,
    BRIDGE,
    HEXAGON,
    DOUBLE_HEXAGON,
    TRIPLE_HEXAGON,
    DRAW,
    NO_PLAY,
    EMPTY_POOL,
    OUT,
    OTHERS_LEFT,
    OWN_LEFT
};

struct Score {
    int seat;
    Reason reason;
    std::int32_t points;
};

struct End {
    EndReason reason = EndReason::NONE;
    int seats = 0;    // who went out, or who wins a blocked round by the rules
    int winners = 0;  // who won the round on its own; if it was abandoned, who won the match
};

// Whether a total meets the target of the match. Tested after every score of a round.
inline bool meets_target(const Rules& rules, std::int64_t total) {
    if (!rules.target) return false;
    return rules.reach ? total >= rules.target : total > rules.target;
}

// Whether totals count rounds won, as in a series without points.
inline bool counts_rounds(const Rules& rules) { return !rules.scoring && rules.target; }

// Who won a round on its own, given the *seats* that ended it.
int round_winners(const Rules& rules, int players, int seats, const Seats& totals, const Seats& round_totals);

struct Ledger {
    static constexpr int NONE = -1;

    Rules rules;
    int players = 2;
    Seats totals{};        // points, or rounds won in a series without points
    Seats round_totals{};  // at the start of the round
    int starter = NONE;    // of the round, if known yet
    int round = 1;
    int entries = 0;        // in this round
    int latched_at = NONE;  // the entry that met the target; 0 if an earlier round did
    End end;

    // The ledger at the start of a match.
    static Ledger open(const Rules& rules, int players, const Seats& totals = {}, bool latched = false);

    // Each of these returns a new ledger.
    Ledger after(std::span<const Score> scores) const;
    Ledger close(EndReason reason, int seats) const;
    Ledger abandon(int gave_up = NONE) const;
    Ledger next_round(int starter = NONE) const;
    Ledger started_by(int starter) const;
    // With a whole round as one entry: State has tested the target after every score and credited
    // the round won itself, with the functions above.
    Ledger played(const Seats& totals, bool latched, const End& end) const;

    Seats points() const;
    bool latched() const { return latched_at != NONE; }
    bool is_last_round() const;
    bool is_over() const;
    int leaders() const;
    int winners() const;
    int winners_with(const Seats& head_start) const;
    int next_starter() const;  // NONE if it is to be drawn, or if no round follows
};

}  // namespace triomino
