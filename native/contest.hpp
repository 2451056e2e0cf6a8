// Games between two players on the same deals, with the seats exchanged.
#pragma once
#include "clock.hpp"
#include "ledger.hpp"
#include "player.hpp"

namespace triomino::TRIOMINO_ARCH {

template <int Tiles>
class Contest {
   public:
    using S = State<Tiles>;

    Contest(const Rules& rules, int players, const PlayerSpec& one, const PlayerSpec& other, std::uint64_t seed)
        : rules_(rules), players_(players), spec_{one, other}, seed_(seed) {}

    // Play one game, a round or a match; *row* is its place in the arrays.
    void play(std::int64_t game, std::int64_t row, const ContestArrays& out) {
        const std::int64_t number = game / players_;
        const int seat = int(game % players_);
        dice_ = Dice::numbered(seed_ ^ BOTS, std::uint64_t(game));
        Ledger ledger = Ledger::open(rules_, players_);
        for (;;) {
            Dice deals = Dice::numbered(seed_, std::uint64_t(number) * MOST_ROUNDS + std::uint64_t(ledger.round));
            S state;
            deal(state, rules_, deck_of<Tiles>(rules_), rules_.racks[std::size_t(players_)], players_, deals);
            shuffle_pool(state, deals);
            if (ledger.starter != Ledger::NONE) state.starter = state.turn = std::uint8_t(ledger.starter);
            state.total = ledger.totals;
            state.latched = ledger.latched();
            play_round(state, ledger.round_totals, seat, row, out);
            const End end{state.ending, state.end_seats, state.winners(rules_, ledger.round_totals)};
            ledger = ledger.started_by(state.starter).played(state.total, state.latched, end);
            if (ledger.is_over()) break;
            ledger = ledger.next_round(ledger.next_starter());
        }
        const int winners = ledger.winners();
        out.won[row] = winners >> seat & 1 ? 1.0f / float(std::popcount(unsigned(winners))) : 0.0f;
        int others = 0;
        for (int other = 0; other < players_; other++) others += other == seat ? 0 : ledger.totals[std::size_t(other)];
        out.margin[row] = float(ledger.totals[std::size_t(seat)]) - float(others) / float(players_ - 1);
    }

   private:
    void play_round(S& state, const Seats& start_totals, int seat, std::int64_t row, const ContestArrays& out) {
        Player<Tiles> one(spec_[0], rules_, players_, start_totals), other(spec_[1], rules_, players_, start_totals);
        std::vector<Event> events;
        while (!state.over()) {
            const int who = state.turn != seat;
            const std::int64_t began = work_nanoseconds();
            const Move move = (who ? other : one).choose(state, dice_, events);
            const std::int64_t taken = work_nanoseconds() - began, given = spec_[who].limit.nanoseconds;
            out.nanoseconds[2 * row + who] += taken;
            out.moves[2 * row + who]++;
            out.late[2 * row + who] += given && taken > given + given / 2;
            events.push_back({state.turn, int(move.kind)});
            state.apply(move, rules_);
        }
    }

    static constexpr std::uint64_t BOTS = 0x626F7473, MOST_ROUNDS = 4096;
    const Rules& rules_;
    const int players_;
    const PlayerSpec spec_[2];
    const std::uint64_t seed_;
    Dice dice_{0};
};

}  // namespace triomino::TRIOMINO_ARCH
