// See triomino.ledger. Compiled for the baseline instruction set.
#include "ledger.hpp"

#include <algorithm>

namespace triomino {

namespace {

// The seats with the highest value, as a bit mask.
int highest(const Seats& values, int players) {
    const std::int32_t best = *std::max_element(values.begin(), values.begin() + players);
    int bits = 0;
    for (int seat = 0; seat < players; seat++) bits |= (values[std::size_t(seat)] == best) << seat;
    return bits;
}

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
    for (const auto& [seat, points] : scores) {
        std::int32_t& total = next.totals[std::size_t(seat)];
        total += points;
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
    return is_last_round() && !(rules.extra_round && several(leaders()));
}

int Ledger::leaders() const {
    const bool won_by_ending = !rules.target && rules.wins_by_ending;
    if (end.reason != EndReason::NONE && won_by_ending) return end.winners;
    return highest(totals, players);
}

int Ledger::winners() const { return is_over() ? leaders() : 0; }

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
