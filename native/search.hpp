// The search for the best move by sequential halving. Worlds are sampled that the seat to move could be
// in; in each, every remaining candidate is played on by the policy of the network for a few turns and
// then judged by it, or, without a network, played out by the greedy policy; with few tiles left it is
// solved exactly. After every phase the weaker half of the candidates is eliminated.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "clock.hpp"
#include "endgame.hpp"
#include "hidden.hpp"
#include "one_ply.hpp"
#include "playout.hpp"
#include "worlds.hpp"

namespace triomino::TRIOMINO_ARCH {

// Classic selects code specialised for rules of places_as_classic. The given rules still decide which
// moves are legal for the seat to move, and how the match is won.
template <int Tiles, bool Classic>
class Search {
   public:
    using S = State<Tiles>;

    // *base* is the position as the seat to move knows it; *source* deals hidden racks and the pool.
    Search(const S& base, const Rules& given, const WorldSource& source, const SearchLimit& limit)
        : base_(base),
          given_(given),
          source_(source),
          limit_(limit),
          win_weight_(worth_of_winning(given, limit.win_weight)),
          dice_{limit.seed},
          start_totals_(limit.start_totals) {
        if (!limit.events.empty()) conclude(base_, limit.events);
        if (limit.network && !limit.events.empty() && !source.count) {
            S world;
            deal_world(world);
            const auto unused = source.plan ? unused_tiles(world, *source.plan) : typename S::TileMask{};
            infers_ = hidden_.start(base_, world, given, limit.events, unused, dice_);
        }
        if (limit.network) one_ply_.emplace(*limit.network, given, base.players, start_totals_, win_weight_);
    }

    // Write the candidates, best first, and return their number.
    int run(Candidate* out) {
        S world;
        next_world(world);
        Move moves[S::MOST_MOVES];
        const int legal = world.legal(given_, moves);
        int count = 0;
        for (int i = 0; i < legal; i++) {
            // Rotating the first tile only rotates the whole board: one rotation is enough.
            if (!world.laid && moves[i].kind == Kind::PLACE && moves[i].turn) continue;
            if (!limit_.only.empty() && std::find(limit_.only.begin(), limit_.only.end(), i) == limit_.only.end())
                continue;
            if (limit_.places_only && moves[i].kind == Kind::DRAW && moves[0].kind == Kind::PLACE) continue;
            entry_[count++] = {moves[i], i};
            if (one_ply_) entry_[count - 1].prior = one_ply_->worth(one_ply_->after(world, moves[i]));
        }
        choose_methods(world);
        if (count > 1 && !solve(world, count)) eliminate(count);
        for (int i = 0; i < count; i++) {
            const Entry& e = entry_[i];
            out[i] = {e.index, e.worlds, e.win, e.margin, e.margin_squared, e.exact};
        }
        return count;
    }

   private:
    struct Entry {
        Move move;
        int index;  // among the legal moves
        std::int64_t worlds = 0, win = 0, margin = 0, margin_squared = 0;
        std::int64_t prior = 0;  // the worth of the move by the network, without a look ahead
        bool exact = false;
    };

    // How a world ends.
    struct End {
        Seats total;
        std::uint8_t end_seats;
    };

    // What candidates are ranked by: points, and win_weight points for winning the round. Those that are
    // compared were tried in the same worlds.
    std::int64_t value(const Entry& entry) const {
        return entry.margin + entry.win * win_weight_ * MARGIN_UNIT / WIN_UNIT + limit_.prior_worlds * entry.prior;
    }

    const Rules& rules() const { return Classic ? CLASSIC : given_; }

    // Decide where exact solving can be used.
    void choose_methods(const S& world) {
        can_solve_ = limit_.endgame_nodes && Endgame<Tiles>::applies(world, given_);
        nodes_left_ = limit_.endgame_nodes * WORLDS_SHARE;
        int on_racks = 0;
        for (int seat = 0; seat < world.players; seat++) on_racks += world.rack[seat].count();
        solves_worlds_ =
            can_solve_ && world.pool_size() <= limit_.endgame_pool && !limit_.plies && on_racks <= MOST_SOLVED;
    }

    void next_world(S& world) {
        if (infers_) {
            world = base_;
            hidden_.deal(world, dice_);
        } else {
            deal_world(world);
        }
    }

    // A world by what is certain, and in most cases as if nobody drew on purpose.
    void deal_world(S& world) {
        if (source_.plan) {
            world = base_;
            const bool believes = source_.belief && int(dice_.below(256)) < source_.forced_draw_prior;
            if (believes && sample_world(world, *source_.belief, source_.pool_size, dice_, TRIES)) return;
            sample_world(world, *source_.plan, source_.pool_size, dice_);
        } else if (source_.count) {
            world = *static_cast<const S*>(source_.worlds[std::size_t(dealt_++ % source_.count)]);
            world.lacks = base_.lacks;
            std::memcpy(world.fresh, base_.fresh, sizeof world.fresh);
            if (limit_.sees_racks) shuffle_pool(world, dice_);
        } else {
            world = base_;
            deal_hidden(world, given_, dice_);
        }
    }

    // With two players and nothing hidden: find the exact margin of every candidate. Returns false if
    // that does not apply, or exceeds the budget.
    bool solve(const S& world, int count) {
        if (!can_solve_ || world.pool_size()) return false;
        // Giving up on a large ending may cost at most half of the time.
        const std::int64_t nodes = limit_.rollouts
                                       ? limit_.endgame_nodes
                                       : std::min(limit_.endgame_nodes, limit_.nanoseconds / NODE_NANOSECONDS);
        Endgame<Tiles> endgame(given_, base_.turn, nodes, win_weight_);
        S after;
        Seats total[S::MOST_MOVES];
        std::uint8_t seats[S::MOST_MOVES];
        for (int i = 0; i < count; i++) {
            after = world;
            after.apply(entry_[i].move, rules());
            endgame.finish(after);
            if (endgame.gave_up()) return false;
            total[i] = after.total, seats[i] = after.end_seats;
        }
        for (int i = 0; i < count; i++) {
            after.total = total[i], after.end_seats = seats[i];
            add_result(entry_[i], after);
            entry_[i].prior = 0;
            entry_[i].exact = true;
        }
        rank(count);
        return true;
    }

    // Sequential halving over all candidates.
    void eliminate(int count) {
        int phases = 1;
        while (1 << phases < count) phases++;
        int left = count;
        for (int phase = 1; left > 1; phase++) {
            // With a budget in rollouts: the worlds that this phase's share of it allows.
            const std::int64_t share = std::max<std::int64_t>(1, limit_.rollouts / (phases * left));
            const std::int64_t ends = limit_.nanoseconds / phases * phase;
            std::int64_t worlds = 0;
            do {
                const int block = solves_worlds_ || one_ply_ ? 1 : BLOCK;
                for (int i = 0; i < block && !(limit_.rollouts && worlds >= share); i++, worlds++) play_world(left);
            } while (limit_.rollouts ? worlds < share : stopwatch_.nanoseconds() < ends);
            rank(left);
            left = (left + 1) / 2;
            if (left > 1) retain_kept(left, count);
        }
    }

    // Let the move that limit.keep names survive the elimination.
    void retain_kept(int left, int count) {
        for (int i = left; i < count; i++)
            if (entry_[i].index == limit_.keep) std::swap(entry_[i], entry_[left - 1]);
    }

    void rank(int count) {
        std::stable_sort(entry_, entry_ + count, [&](const Entry& a, const Entry& b) { return value(a) > value(b); });
    }

    // Try every remaining candidate in one more world.
    void play_world(int left) {
        if (nodes_left_ < 0) solves_worlds_ = false;
        S world;
        next_world(world);
        for (int i = 0; i < left; i++) {
            S played = world;
            played.apply(entry_[i].move, rules());
            if (solves_worlds_) {
                solve_world(played, entry_[i].index);
            } else if (one_ply_) {
                play_to_horizon(played);
                const Judgement value = one_ply_->value_of(played, base_.turn, false);
                add(entry_[i], std::int64_t{value.win} * WIN_UNIT / CERTAIN, value.margin);
                continue;
            } else {
                roll_out(played);
            }
            add_result(entry_[i], played);
        }
    }

    void roll_out(S& played) const {
        Dice none{0};
        for (int ply = 0; !played.over() && (!limit_.plies || ply < limit_.plies); ply++)
            played.apply(MostPoints::choose(played, rules(), none), rules());
    }

    // With few tiles in the pool there are few distinct worlds: solve each once per candidate, or roll
    // it out if that takes too long, and cache the result.
    void solve_world(S& played, int index) {
        std::string world;
        const auto& other = played.rack[1 - base_.turn];
        world.append(reinterpret_cast<const char*>(&other), sizeof other);
        world.append(played.pool + base_.next, played.pool + played.pool_end);
        world.append(reinterpret_cast<const char*>(&index), sizeof index);
        const auto [at, is_new] = solved_.try_emplace(std::move(world));
        if (is_new) {
            const bool late = !limit_.rollouts && stopwatch_.nanoseconds() > limit_.nanoseconds;
            const std::int64_t nodes = late ? 0 : WORLD_NODES;
            Endgame<Tiles> endgame(given_, base_.turn, nodes, win_weight_);
            endgame.finish(played);
            nodes_left_ -= nodes - endgame.nodes_left();
            if (endgame.gave_up()) roll_out(played);
            at->second = {played.total, played.end_seats};
        }
        played.total = at->second.total;
        played.end_seats = at->second.end_seats;
        played.ending = EndReason::BLOCKED;
    }

    // Finish the turn of the candidate, and play limit.horizon more turns.
    void play_to_horizon(S& state) {
        Dice none{0};
        for (int left = limit_.horizon + (state.draws > 0); left && !state.over(); left -= !state.draws) {
            const bool greedy = greedy_rivals_ && state.turn != base_.turn;
            state.apply(greedy ? MostPoints::choose(state, rules(), none) : one_ply_->choose(state).move, rules());
        }
    }

    // Add the result of a round that is over, or was cut off after limit.plies.
    void add_result(Entry& entry, const S& end) {
        const int me = base_.turn, winners = end.winners(given_, start_totals_);
        std::int32_t others = 0;
        for (int seat = 0; seat < end.players; seat++)
            if (seat != me) others += end.total[seat] - start_totals_[seat];
        const int points = (end.total[me] - start_totals_[me]) * (end.players - 1) - others;
        add(entry, winners >> me & 1 ? WIN_UNIT / std::popcount(unsigned(winners)) : 0,
            points * MARGIN_UNIT / (end.players - 1));
    }

    static void add(Entry& entry, std::int64_t win, std::int64_t margin) {
        entry.worlds++;
        entry.win += win;
        entry.margin += margin;
        entry.margin_squared += margin * margin;
    }

    static constexpr int TRIES = 500;                  // to deal by belief, which may be impossible
    static constexpr int NODE_NANOSECONDS = 300;       // twice what a node takes
    static constexpr int BLOCK = 8;                    // worlds between two checks of the clock
    static constexpr int MOST_SOLVED = 14;             // tiles on all racks; with more, a world takes too long
    static constexpr std::int64_t WORLD_NODES = 3000;  // to solve one world
    static constexpr int WORLDS_SHARE = 10;            // budget for all worlds, as a multiple of endgame_nodes
    S base_;
    HiddenTiles<Tiles> hidden_;
    bool infers_ = false;
    const Rules& given_;
    const WorldSource& source_;
    const SearchLimit& limit_;
    // Among more than two a world would take three times as long otherwise.
    const bool greedy_rivals_ = limit_.greedy_rivals || base_.players > 2;
    const int win_weight_;  // points that winning the round is worth, on top of its margin
    Dice dice_;
    std::int64_t dealt_ = 0;
    bool can_solve_ = false, solves_worlds_ = false;
    std::int64_t nodes_left_ = 0;  // budget for solving worlds
    std::unordered_map<std::string, End> solved_;
    std::optional<OnePly<Tiles>> one_ply_;
    const Seats& start_totals_;
    const Stopwatch stopwatch_;
    Entry entry_[S::MOST_MOVES];
};

}  // namespace triomino::TRIOMINO_ARCH
