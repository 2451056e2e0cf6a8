// See triomino.ledger. Compiled for the baseline instruction set.
#include "ledger.hpp"

#include <algorithm>
#include <limits>

namespace triomino {

namespace {

// The seats with the highest value, as a bit mask.
int highest(const Seats& values, int players) {
    const std::int32_t best = *std::max_element(values.begin(), values.begin() + players);
    int bits = 0;
    for (int seat = 0; seat < players; seat++) bits |= (values[std::size_t(seat)] == best) << seat;
    return bits;
}

// Whether this is a single round that goes to the player who ended it.
bool won_by_ending(const Rules& rules) { return !rules.target && rules.wins_by_ending; }

// Whether a bit mask holds more than one seat.
bool several(int seats) { return seats & (seats - 1); }

}  // namespace

int round_winners(const Rules& rules, int players, int seats, const Seats& totals, const Seats& round_totals) {
    if (rules.wins_by_ending && seats) return seats;
    // A single round is won by the total, a round of a match by what it brought.
    Seats scored = totals;
    if (rules.target)
        for (std::size_t seat = 0; seat < scored.size(); seat++) scored[seat] -= round_totals[seat];
    return highest(scored, players);
}

Ledger Ledger::open(const Rules& rules, int players, const Seats& totals, bool latched) {
    Ledger ledger;
    ledger.rules = rules;
    ledger.players = players;
    ledger.totals = ledger.round_totals = totals;
    if (latched) ledger.latched_at = 0;
    return ledger;
}

Ledger Ledger::after(std::span<const Score> scores) const {
    Ledger next = *this;
    next.entries++;
    for (const Score& score : scores) {
        std::int32_t& total = next.totals[std::size_t(score.seat)];
        total += score.points;
        if (rules.latch_any_moment && !next.latched() && meets_target(rules, total)) next.latched_at = next.entries;
    }
    return next;
}

Ledger Ledger::close(EndReason reason, int seats) const {
    Ledger next = *this;
    next.end = {reason, seats, round_winners(rules, players, seats, totals, round_totals)};
    if (counts_rounds(rules))
        for (int seat = 0; seat < players; seat++) next.totals[std::size_t(seat)] += next.end.winners >> seat & 1;
    return next;
}

Ledger Ledger::abandon(int gave_up) const {
    Ledger next = *this;
    next.end = {EndReason::ABANDONED, 0, 0};
    if (gave_up == NONE) return next;
    Seats others = totals;
    // Below any total, so that the others are compared.
    others[std::size_t(gave_up)] = std::numeric_limits<std::int32_t>::min();
    next.end.winners = highest(others, players);
    return next;
}

Ledger Ledger::next_round(int starter_) const {
    Ledger next = *this;
    next.round_totals = totals;
    next.starter = starter_;
    next.round++;
    next.entries = 0;
    next.latched_at = rules.target && is_last_round() ? 0 : NONE;
    next.end = {};
    return next;
}

Ledger Ledger::started_by(int starter_) const {
    Ledger next = *this;
    next.starter = starter_;
    return next;
}

Ledger Ledger::played(const Seats& totals_, bool latched_, const End& end_) const {
    Ledger next = *this;
    next.entries++;
    next.totals = totals_;
    next.end = end_;
    if (latched_ && !latched()) next.latched_at = next.entries;
    return next;
}

Seats Ledger::points() const {
    Seats out{};
    for (std::size_t seat = 0; seat < out.size(); seat++) out[seat] = totals[seat] - round_totals[seat];
    return out;
}

bool Ledger::is_last_round() const {
    if (!rules.target || latched()) return true;
    if (end.reason == EndReason::NONE) return false;
    return std::any_of(totals.begin(), totals.begin() + players,
                       [&](std::int32_t total) { return meets_target(rules, total); });
}

bool Ledger::is_over() const {
    if (end.reason == EndReason::NONE) return false;
    if (end.reason == EndReason::ABANDONED) return true;
    return is_last_round() && !(rules.extra_round && several(leaders()));
}

int Ledger::leaders() const {
    const bool ended = end.reason != EndReason::NONE && end.reason != EndReason::ABANDONED;
    if (ended && won_by_ending(rules)) return end.winners;
    return highest(totals, players);
}

int Ledger::winners() const {
    if (!is_over()) return 0;
    return end.reason == EndReason::ABANDONED ? end.winners : leaders();
}

int Ledger::winners_with(const Seats& head_start) const {
    const int won = winners();
    if (!won || end.reason == EndReason::ABANDONED || won_by_ending(rules)) return won;
    Seats sums = totals;
    for (std::size_t seat = 0; seat < sums.size(); seat++) sums[seat] += head_start[seat];
    return highest(sums, players);
}

int Ledger::next_starter() const {
    if (end.reason == EndReason::NONE || is_over() || rules.next_starter == NextStarter::SET_UP) return NONE;
    const int after = starter == NONE ? NONE : (starter + 1) % players;
    if (rules.next_starter == NextStarter::ROTATE_LEFT) return after;
    // Of several winners, the first to play after the last starter, who comes last.
    int seat = std::max(after, 0);
    while (!(end.winners >> seat & 1)) seat = (seat + 1) % players;
    return seat;
}

}  // namespace triomino
