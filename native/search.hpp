// Which move is best: the worlds a seat could be in, the same for every candidate, each played to
// its end by the greedy policy, or so far that the rest can be judged, or, with few tiles left, as
// well as it can be; after every phase the weaker half of the candidates is left out.
#pragma once
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <unordered_map>

#include "endgame.hpp"
#include "playout.hpp"
#include "prospects.hpp"
#include "suspicion.hpp"
#include "worlds.hpp"

namespace triomino::TRIOMINO_ARCH {

// Rules known when this is compiled are followed much faster: with Classic, those of places_as_classic.
// The given ones say what else may be done, and what the match is about.
template <int Tiles, bool Classic>
class Search {
   public:
    using S = State<Tiles>;

    // *base* holds the moment with all that the seat to move knows; hidden racks and pool are dealt
    // by the source.
    Search(const S& base, const Rules& given, const WorldSource& source, const SearchLimit& limit)
        : base_(base), given_(given), source_(source), limit_(limit), dice_{limit.seed}, start_(limit.start_totals) {
        if (limit.candour && source.plan) suspicion_.emplace(base, rules(), limit);
    }

    // The candidates, the best first; says how many.
    int run(Candidate* out) {
        began_ = Clock::now();
        S world;
        next_world(world);
        Move moves[S::MOST_MOVES];
        const int legal = world.legal(given_, moves);
        int count = 0;
        for (int i = 0; i < legal; i++) {
            // However the first tile is turned, the board is the same one turned.
            if (!world.laid && moves[i].kind == Kind::PLACE && moves[i].turn) continue;
            if (limit_.places_only && moves[i].kind == Kind::DRAW && moves[0].kind == Kind::PLACE) continue;
            entry_[count++] = {moves[i], i};
        }
        solves_ = limit_.endgame_nodes && rules().scoring && !rules().wins_by_ending && world.players == 2;
        nodes_ = limit_.endgame_nodes * WORLDS_SHARE;
        judges_ = Classic && limit_.foresight && values_hold(given_, world.players);
        int on_racks = 0;
        for (int seat = 0; seat < world.players; seat++) on_racks += world.rack[seat].count();
        closing_ = solves_ && world.pool_size() <= limit_.endgame_pool && !limit_.plies && on_racks <= MOST_SOLVED;
        if (count > 1 && !solve(world, count)) think(count);
        for (int i = 0; i < count; i++) {
            const Entry& e = entry_[i];
            out[i] = {e.index, e.worlds, e.win, e.margin, e.margin_squared, e.exact};
        }
        return count;
    }

   private:
    using Clock = std::chrono::steady_clock;

    struct Entry {
        Move move;
        int index;  // among the legal moves
        std::int64_t worlds = 0, win = 0, margin = 0, margin_squared = 0;
        bool exact = false;
    };

    // The points, and so many for a round that is won.
    std::int64_t worth(const Entry& entry) const { return entry.margin * 60 + entry.win * limit_.win_weight; }

    const Rules& rules() const { return Classic ? CLASSIC : given_; }

    // Of a few worlds the one that explains best what the others did, by chance.
    void next_world(S& world) {
        if (!suspicion_ || !suspicion_->any()) return deal_world(world);
        S other;
        std::uint32_t all = 0;
        for (int i = 0; i < CHOICES; i++) {
            deal_world(other);
            const std::uint32_t weight = suspicion_->weight(other);
            all += weight;
            if (dice_.below(all) < weight) world = other;
        }
    }

    void deal_world(S& world) {
        if (source_.plan) {
            world = base_;
            const bool believes = source_.belief && int(dice_.below(256)) < source_.trust;
            if (believes && sample_world(world, *source_.belief, source_.pool_size, dice_, TRIES)) return;
            sample_world(world, *source_.plan, source_.pool_size, dice_);
        } else {
            world = *static_cast<const S*>(source_.worlds[std::size_t(dealt_++ % source_.count)]);
        }
    }

    // With nothing hidden, between two: the true margin of every candidate, if that is soon found.
    bool solve(const S& world, int count) {
        if (!solves_ || world.pool_size()) return false;
        // With much on the racks it gives up: that may cost half of the time and no more.
        const std::int64_t nodes = limit_.rollouts ? limit_.endgame_nodes : std::min(limit_.endgame_nodes, limit_.nanoseconds / NODE);
        Endgame<Tiles> endgame(given_, base_.turn, nodes);
        std::int64_t margin[S::MOST_MOVES];
        for (int i = 0; i < count; i++) {
            S after = world;
            after.apply(entry_[i].move, rules());
            margin[i] = endgame.solve(after).margin;
            if (endgame.gave_up()) return false;
        }
        for (int i = 0; i < count; i++) {
            Entry& entry = entry_[i];
            entry.worlds = 1;
            entry.margin = margin[i] - start_[base_.turn] + start_[1 - base_.turn];
            entry.margin_squared = entry.margin * entry.margin;
            entry.win = entry.margin > 0 ? 60 : entry.margin == 0 ? 30 : 0;
            entry.exact = true;
        }
        rank(count);
        return true;
    }

    void think(int count) {
        int phases = 1;
        while (1 << phases < count) phases++;
        int left = count;
        for (int phase = 1; left > 1; phase++) {
            // By count: as many worlds as this phase's share of rollouts gives to those left.
            const std::int64_t share = std::max<std::int64_t>(1, limit_.rollouts / (phases * left));
            const auto ends = began_ + std::chrono::nanoseconds(limit_.nanoseconds / phases * phase);
            std::int64_t worlds = 0;
            do {
                const int block = closing_ ? 1 : BLOCK;
                for (int i = 0; i < block && !(limit_.rollouts && worlds >= share); i++, worlds++) try_all(left);
            } while (limit_.rollouts ? worlds < share : Clock::now() < ends);
            rank(left);
            left = (left + 1) / 2;
            if (left > 1) hold(left, count);
        }
    }

    // The one to be kept stays among those that are left.
    void hold(int left, int count) {
        for (int i = left; i < count; i++)
            if (entry_[i].index == limit_.keep) std::swap(entry_[i], entry_[left - 1]);
    }

    void rank(int count) {
        std::stable_sort(entry_, entry_ + count, [&](const Entry& a, const Entry& b) {
            return worth(a) > worth(b);
        });
    }

    // One world, every candidate that is left.
    void try_all(int left) {
        if (nodes_ < 0) closing_ = false;
        S world;
        next_world(world);
        for (int i = 0; i < left; i++) {
            S played = world;
            played.apply(entry_[i].move, rules());
            if (closing_) {
                finish(played, entry_[i].index);
            } else if (judges_) {
                play_turns(played);
                if (!played.over()) {
                    foresee(entry_[i], played);
                    continue;
                }
            } else {
                roll_out(played);
            }
            note(entry_[i], played);
        }
    }

    void roll_out(S& played) const {
        Dice none{0};
        for (int ply = 0; !played.over() && (!limit_.plies || ply < limit_.plies); ply++)
            played.apply(MostPoints::choose(played, rules(), none), rules());
    }

    // With few tiles to draw the worlds are few, too, and come again: each is solved once for every
    // candidate or, where that takes too long, rolled out.
    void finish(S& played, int index) {
        std::string world;
        const auto& other = played.rack[1 - base_.turn];
        world.append(reinterpret_cast<const char*>(&other), sizeof other);
        world.append(played.pool + base_.next, played.pool + played.pool_end);
        world.append(reinterpret_cast<const char*>(&index), sizeof index);
        const auto [at, is_new] = finished_.try_emplace(std::move(world));
        if (is_new) {
            const bool late = !limit_.rollouts && Clock::now() > began_ + std::chrono::nanoseconds(limit_.nanoseconds);
            const std::int64_t nodes = late ? 0 : WORLD_NODES;
            Endgame<Tiles> endgame(given_, base_.turn, nodes);
            const auto found = endgame.solve(played);
            nodes_ -= nodes - endgame.left();
            if (endgame.gave_up()) roll_out(played);
            at->second = endgame.gave_up() ? played.total : found.total;
        }
        played.total = at->second;
        played.ending = EndReason::BLOCKED;  // how it ended counts only where points do not
    }

    // The turn of the candidate to its end, and so many turns more.
    void play_turns(S& state) const {
        Dice none{0};
        for (int left = limit_.foresight + (state.draws > 0); left && !state.over(); left -= !state.draws)
            state.apply(MostPoints::choose(state, rules(), none), rules());
    }

    void note(Entry& entry, const S& end) {
        const int me = base_.turn, winners = end.winners(given_, start_);
        std::int32_t others = 0;
        for (int seat = 0; seat < end.players; seat++)
            if (seat != me) others += end.total[seat] - start_[seat];
        const std::int64_t margin = end.total[me] - start_[me] - others / (end.players - 1);
        entry.worlds++;
        if (winners >> me & 1) entry.win += 60 / std::popcount(unsigned(winners));
        entry.margin += margin;
        entry.margin_squared += margin * margin;
    }

    // What a round that is not over will come to.
    void foresee(Entry& entry, const S& state) {
        const int me = base_.turn;
        const Prospects<Tiles> prospects(state, rules());
        const Values& values = prospects.values();
        int total[MOST_PLAYERS] = {}, others = 0, lead = 1 << 30;
        for (int seat = 0; seat < state.players; seat++)
            total[seat] = state.total[seat] * UNIT + prospects.later(seat, values);
        const auto scored = [&](int seat) { return total[seat] - start_[seat] * UNIT; };
        for (int seat = 0; seat < state.players; seat++) {
            if (seat == me) continue;
            others += scored(seat);
            // As round_winners compares them.
            lead = std::min(lead, given_.target ? scored(me) - scored(seat) : total[me] - total[seat]);
        }
        const std::int64_t margin = (scored(me) - others / (state.players - 1)) / UNIT;
        entry.worlds++;
        entry.win += chance_of(lead, values.spread, 60);
        entry.margin += margin;
        entry.margin_squared += margin * margin;
    }

    static constexpr int CHOICES = 6;  // worlds to choose from, where there are clues
    static constexpr int TRIES = 500;  // to deal what is believed, which may be impossible
    static constexpr int NODE = 1500;  // nanoseconds, twice what one takes
    static constexpr int BLOCK = 8;  // worlds between two looks at the clock
    static constexpr int MOST_SOLVED = 14;  // tiles on all racks; with more a world takes too long
    static constexpr std::int64_t WORLD_NODES = 3000;  // to solve one world
    static constexpr int WORLDS_SHARE = 10;  // for all worlds, times what a single ending has
    const S& base_;
    const Rules& given_;
    const WorldSource& source_;
    const SearchLimit& limit_;
    Dice dice_;
    std::int64_t dealt_ = 0;
    bool solves_ = false, closing_ = false, judges_ = false;
    std::int64_t nodes_ = 0;  // left to solve worlds with
    std::unordered_map<std::string, Seats> finished_;
    std::optional<Suspicion<Tiles>> suspicion_;
    const Seats& start_;  // totals
    Clock::time_point began_;
    Entry entry_[S::MOST_MOVES];
};

}  // namespace triomino::TRIOMINO_ARCH
