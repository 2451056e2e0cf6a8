// The score sheet of a match, name for name as triomino.ledger keeps it: totals, the target, the last
// round, winners and the next starter are decided here and nowhere else. Several seats are bits.
//
// The kernel plays matches among the same people to their end, so that seats 0, 1, … play in this
// order; seated, adjusted and abandon are not built.
#pragma once
#include <cstdint>
#include <span>

#include "rules.hpp"

namespace triomino {

enum class EndReason : std::uint8_t { NONE, OUT, BLOCKED };  // none while the round is played

struct Score {
    int seat;
    std::int32_t points;
};

struct End {
    EndReason reason = EndReason::NONE;
    int seats = 0;    // who went out, or whom the rules name the winner of a blocked round
    int winners = 0;  // who won the round taken by itself
};

// Whether a total is as much as the match is played to. Asked after every score of a round.
inline bool meets_target(const Rules& rules, std::int64_t total) {
    if (!rules.target) return false;
    return rules.reach ? total >= rules.target : total > rules.target;
}

// Whether the totals are the rounds won, in a series without points.
inline bool counts_rounds(const Rules& rules) { return !rules.scoring && rules.target; }

// Who won a round taken by itself, which *seats* ended.
int round_winners(const Rules& rules, int players, int seats, const Seats& totals, const Seats& round_totals);

struct Ledger {
    static constexpr int NONE = -1;

    Rules rules;
    int players = 2;
    Seats totals{};         // points, or the rounds won in a series that keeps none
    Seats round_totals{};   // with which the round began
    int starter = NONE;     // of the round, where that is known yet
    int round = 1;
    int entries = 0;        // in this round
    int latched_at = NONE;  // the entry with which the target was met; 0 if it was met before
    End end;

    // What the round begins with.
    static Ledger open(const Rules& rules, int players, const Seats& totals = {}, bool latched = false);

    // Every entry gives another ledger.
    Ledger after(std::span<const Score> scores) const;
    Ledger close(EndReason reason, int seats) const;
    Ledger next_round(int starter = NONE) const;
    Ledger started_by(int starter) const;
    // With a whole round as one entry. A State tests the target after every score and counts the
    // round won by itself, with the functions above.
    Ledger played(const Seats& totals, bool latched, const End& end) const;

    Seats points() const;
    bool latched() const { return latched_at != NONE; }
    bool is_last_round() const;
    bool is_over() const;
    int leaders() const;
    int winners() const;
    int next_starter() const;  // NONE where it is to be drawn, or no round follows
};

}  // namespace triomino
