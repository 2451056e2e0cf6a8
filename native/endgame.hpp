// An exact solver for endings of two players in which nothing is hidden.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "state.hpp"

namespace triomino::TRIOMINO_ARCH {

// The bits of *number*, spread over a hash.
inline std::uint64_t spread_bits(std::uint64_t number) {
    number += 0x9e3779b97f4a7c15;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
    number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
    return number ^ (number >> 31);
}

// By tile: the tiles that fit one of its edges.
template <int Tiles>
constexpr auto attachments() {
    using TileMask = Mask<Set<Tiles>::WORDS>;
    const auto& patterns = TABLES<Tiles>.patterns;
    std::array<TileMask, PAIRS> asking{};  // by pair of numbers: the tiles that fit there
    for (int tile = 0; tile < Tiles; tile++)
        for (int i = 0; i < 3; i++) asking[patterns[tile][i]].add(tile);
    std::array<TileMask, Tiles> out{};
    for (int tile = 0; tile < Tiles; tile++)
        for (int i = 0; i < 3; i++) {
            const int edge = patterns[tile][i];
            out[tile] = out[tile] | asking[edge % 6 * 6 + edge / 6];
        }
    return out;
}

// The board of a state before a placement, to return to without copying all of it.
template <int Tiles>
class Undo {
   public:
    using S = State<Tiles>;

    // Remember a state that has a tile on the board; *slot* is where one is going to be placed, if any.
    Undo(const S& state, int slot) {
        std::memcpy(counts_, state.counts, sizeof counts_);
        std::memcpy(pattern_at_, state.pattern_at, sizeof pattern_at_);
        std::memcpy(spot_, state.spot, sizeof spot_);
        open_ = state.open;
        rack_ = {state.rack[0], state.rack[1]};
        total_ = {state.total[0], state.total[1]};
        next_ = state.next, laid_ = state.laid, turn_ = state.turn, draws_ = state.draws, idle_ = state.idle;
        latched_ = state.latched;
        if (slot < 0) return;
        // A placement numbers the corners of its cell, takes the cell and opens its two other neighbours.
        const int seen = state.spot[slot], at = seen >> 3, here = cell_of(seen);
        const Facing& f = S::facing(seen);
        vertex_ = {S::vertex_index(at + f.first), S::vertex_index(at + f.second), S::vertex_index(at + f.apex)};
        cell_ = {S::cell_index(here), S::cell_index(here + f.left.cell), S::cell_index(here + f.right.cell)};
        for (int i = 0; i < 3; i++) numbers_[i] = state.vertex[vertex_[i]], slots_[i] = state.slot_of[cell_[i]];
        places_ = true;
    }

    void restore(S& state) const {
        std::memcpy(state.counts, counts_, sizeof counts_);
        std::memcpy(state.pattern_at, pattern_at_, sizeof pattern_at_);
        std::memcpy(state.spot, spot_, sizeof spot_);
        state.open = open_;
        for (int seat = 0; seat < 2; seat++) state.rack[seat] = rack_[seat], state.total[seat] = total_[seat];
        state.next = next_, state.laid = laid_, state.turn = turn_, state.draws = draws_, state.idle = idle_;
        state.latched = latched_;
        state.ending = EndReason::NONE;
        state.end_seats = 0;
        if (!places_) return;
        for (int i = 0; i < 3; i++) state.vertex[vertex_[i]] = numbers_[i], state.slot_of[cell_[i]] = slots_[i];
    }

    int total(int seat) const { return total_[seat]; }

   private:
    std::uint8_t counts_[S::SLOTS], pattern_at_[S::SLOTS];
    std::int16_t spot_[S::SLOTS];
    typename S::SlotMask open_;
    std::array<typename S::TileMask, 2> rack_;
    std::array<std::int32_t, 2> total_;
    std::array<int, 3> vertex_, cell_;
    std::array<std::uint8_t, 3> numbers_, slots_;
    std::uint8_t next_, laid_, turn_, draws_, idle_;
    bool latched_, places_ = false;
};

// Alpha-beta over the margin at the end of the round with a table of transpositions. Gives up when its
// node budget is spent. What one solve() found is used by the next.
//
// The order in which tiles were laid does not matter, and neither do the points so far: the table holds
// what is still to come, by the tiles on the board and their cells.
template <int Tiles>
class Endgame {
   public:
    using S = State<Tiles>;
    using TileMask = typename S::TileMask;

    // *win_weight* is the points that winning the round is worth, where not points decide who wins it.
    Endgame(const Rules& rules, int me, std::int64_t nodes, int win_weight = 0)
        : rules_(rules),
          me_(me),
          win_weight_(rules.wins_by_ending ? std::clamp(win_weight, 1, MOST_WEIGHT) : 0),
          bounded_(rules.scoring && !rules.floor_at_zero && !rules.empty_pool_penalty),
          nodes_left_(nodes) {
        for (const int bonus :
             {rules.bridge_bonus, rules.hexagon_bonuses[0], rules.hexagon_bonuses[1], rules.hexagon_bonuses[2]})
            highest_bonus_ = std::max(highest_bonus_, bonus);
    }

    // Whether such positions can be solved at all. A round won by ending it, or else by points, is neither.
    static bool applies(const S& state, const Rules& rules) {
        const bool mixed = rules.wins_by_ending && rules.blocked == triomino::Blocked::SUBTRACT_OWN;
        return state.players == 2 && state.laid && !mixed;
    }

    struct Result {
        int margin;  // of *me*, with the points so far
        int win;     // of the round, where not points decide: 1, 0 shared, -1
    };

    // The result of best play from here; meaningless if gave_up().
    Result solve(const S& state) {
        if (table_.empty()) table_.resize(SMALLEST_TABLE), history_.resize(HISTORY);
        state_ = state;
        draws_ = state.pool_size() > 0;
        Value value = 0;
        if (state.over()) {
            value = ending_value(state);
        } else {
            value = search(board_key(state), -LARGE, LARGE);
            if (state.turn != me_) value = -value;
        }
        const int win = win_of(value), future = (value - win) / SCALE - win * win_weight_;
        return {state.total[me_] - state.total[1 - me_] + future, win};
    }

    // Let a state end as best play ends it. Of its totals only the difference is then right. Does nothing
    // if it gives up.
    void finish(S& state) {
        if (state.over()) return;
        const Result found = solve(state);
        if (gave_up()) return;
        state.total[me_] = state.total[1 - me_] + found.margin;
        state.ending = EndReason::BLOCKED;
        state.end_seats = std::uint8_t(found.win ? 1 << (found.win > 0 ? me_ : 1 - me_) : 3);
    }

    bool gave_up() const { return nodes_left_ < 0; }
    std::int64_t nodes_left() const { return nodes_left_; }

   private:
    // Points still to come times SCALE, plus 1 or -1 for a round won or lost by ending it.
    using Value = int;
    static constexpr int SCALE = 4, LARGE = 1 << 20, UNKNOWN = 32767, MOST_WEIGHT = 1000;
    static constexpr std::size_t SMALLEST_TABLE = 1 << 9, LARGEST_TABLE = 1 << 19, HISTORY = 1 << 12;

    struct Entry {
        std::uint64_t key = 0;
        std::int16_t low = -UNKNOWN, high = UNKNOWN;
        std::uint32_t best = 0;  // the code of the best move
    };

    struct Choice {
        int order;
        Value points;
        Move move;
        std::uint32_t code;  // of a placement: its tile and cell
    };

    static int win_of(Value value) { return ((value + 1) % SCALE + SCALE) % SCALE - 1; }

    // What a round that is over is worth to *me* beyond its points.
    Value ending_value(const S& state) const {
        if (!win_weight_) return 0;
        const int seats = state.end_seats, win = (seats >> me_ & 1) - (seats >> (1 - me_) & 1);
        return win * (win_weight_ * SCALE + 1);
    }

    // --- Keys ------------------------------------------------------------------------------------

    static std::uint32_t code_of(int tile, int cell) { return 1 + std::uint32_t(tile << 12 | S::cell_index(cell)); }

    static std::uint64_t board_key(const S& state) {
        std::uint64_t key = 0;
        for (int i = 0; i < state.laid; i++) key ^= spread_bits(code_of(state.laid_tile[i], state.laid_cell[i]));
        return key;
    }

    // All that matters beside the board. Its tiles tell what is left on the racks, unless there was a
    // pool: then it matters who drew.
    std::uint64_t moment(int turn, int next, int draws, int idle) const {
        std::uint64_t rest = std::uint64_t(turn | draws << 1 | idle << 4 | next << 8) << 32;
        if (draws_)
            for (const std::uint64_t tiles : state_.rack[0].word) rest = spread_bits(rest ^ tiles);
        // With a floor the points so far decide how many can be lost.
        if (rules_.floor_at_zero)
            rest ^= spread_bits(std::uint64_t(std::uint32_t(state_.total[0])) << 32 | std::uint32_t(state_.total[1]));
        return rest * 0xd6e8feb86659fd93;
    }

    Entry& entry(std::uint64_t key) { return table_[std::size_t(key) & (table_.size() - 1)]; }

    void store(std::uint64_t key, Value low, Value high, Value found, std::uint32_t best) {
        Entry& at = entry(key);
        if (at.key != key) {
            used_ += !at.key;
            at = {key};
        }
        at.best = best;
        if (found > low) at.low = std::int16_t(std::max<int>(at.low, found));
        if (found < high) at.high = std::int16_t(std::min<int>(at.high, found));
        if (used_ * 2 < table_.size() || table_.size() >= LARGEST_TABLE) return;
        std::vector<Entry> old(table_.size() * 4);
        old.swap(table_);
        for (const Entry& each : old)
            if (each.key) entry(each.key) = each;
    }

    // --- Bounds ----------------------------------------------------------------------------------

    // The tiles that can still be placed, now or beside others of them.
    TileMask alive() const {
        const TileMask all = state_.rack[0] | state_.rack[1];
        TileMask found = all & state_.playable(), added = found;
        while (added.any()) {
            TileMask beside;
            added.each([&](int tile) { beside = beside | ATTACHED[std::size_t(tile)]; });
            added = beside & all & ~found;
            found = found | added;
        }
        return found;
    }

    struct Prospects {
        int tiles, alive, value, alive_value;  // on the rack, of them alive, and their numbers
    };

    Prospects prospects(int seat, TileMask living) const {
        const TileMask rack = state_.rack[seat], own = rack & living;
        Prospects out{rack.count(), own.count(), state_.rack_value(seat), 0};
        own.each([&](int tile) { out.alive_value += TABLES<Tiles>.value[tile]; });
        return out;
    }

    // The most that *own* can gain on *other*: all living tiles are placed, each with the highest bonus,
    // and the other side places nothing. Who has a tile that can never be placed cannot go out.
    Value most(const Prospects& own, const Prospects& other) const {
        const bool sums = rules_.placement_sum == triomino::PlacementSum::ALL;
        const int placed = (sums ? own.alive_value : 0) + own.alive * highest_bonus_;
        const bool subtracts = rules_.blocked == triomino::Blocked::SUBTRACT_OWN;
        int ended = other.value - (subtracts ? own.value - own.alive_value : 0);
        if (own.alive == own.tiles)
            ended = std::max(ended, rules_.out_bonus + (rules_.out_takes_opponents ? other.value : 0));
        return (placed + ended) * SCALE + win_weight_ * SCALE + 1;
    }

    // --- The search ------------------------------------------------------------------------------

    // The value for the seat to move: exact between the bounds, otherwise a bound itself.
    Value search(std::uint64_t board, Value low, Value high) {
        if (--nodes_left_ < 0) return low;
        const S& state = state_;
        const std::uint64_t key = board ^ moment(state.turn, state.next, state.draws, state.idle);
        std::uint32_t expected = 0;
        if (const Entry& known = entry(key); known.key == key) {
            if (known.low >= high || known.low == known.high) return known.low;
            if (known.high <= low) return known.high;
            low = std::max<Value>(low, known.low), high = std::min<Value>(high, known.high);
            expected = known.best;
        }
        const bool dry = !state.pool_size() && !state.draws;
        if (dry && bounded_) {
            const TileMask living = alive();
            const Prospects own = prospects(state.turn, living), other = prospects(1 - state.turn, living);
            const Value upper = most(own, other), lower = -most(other, own);
            if (upper <= low) return upper;
            if (lower >= high) return lower;
            low = std::max(low, lower), high = std::min(high, upper);
        }
        const std::size_t first = choices_.size();
        add_choices(expected, dry);
        const Value found = dry && has_refutation(board, first, high) ? high : try_all(board, key, first, low, high);
        choices_.resize(first);
        return found;
    }

    void add_choices(std::uint32_t expected, bool dry) {
        const S& state = state_;
        if (dry && !rules_.voluntary_pass) {
            const TileMask tiles = state.rack[state.turn] & state.playable();
            if (tiles.any()) {
                tiles.each([&](int tile) {
                    state.slots_for(tile).each(
                        [&](int slot) { add({Kind::PLACE, std::uint8_t(tile), std::uint8_t(slot)}, expected); });
                });
                return;
            }
        }
        Move moves[S::MOST_MOVES];
        const int count = state.legal(rules_, moves);
        for (int i = 0; i < count; i++) add(moves[i], expected);
    }

    // Most points first, unless something else has proved itself: usually that is the best move.
    void add(Move move, std::uint32_t expected) {
        const int points = state_.points(move, rules_);
        if (move.kind != Kind::PLACE) {
            choices_.push_back({points * 4, points * SCALE, move, 0});
            return;
        }
        const std::uint32_t code = code_of(move.tile, cell_of(state_.spot[move.slot]));
        const int order = points * 4 + TABLES<Tiles>.value[move.tile] * 2 + history(code);
        choices_.push_back({code == expected ? LARGE : order, points * SCALE, move, code});
    }

    std::int16_t& history(std::uint32_t code) { return history_[code * 2654435761u >> 20]; }

    // Whether the table already knows a placement that makes *high*.
    bool has_refutation(std::uint64_t board, std::size_t first, Value high) {
        const int seat = state_.turn;
        if (choices_.size() - first < 2 || state_.rack[seat].count() < 2 || rules_.floor_at_zero || draws_)
            return false;
        const std::uint64_t after = moment(1 - seat, state_.next, 0, 0);
        for (std::size_t i = first; i < choices_.size(); i++) {
            const Choice& choice = choices_[i];
            if (choice.move.kind != Kind::PLACE) continue;
            const std::uint64_t key = board ^ spread_bits(choice.code) ^ after;
            if (const Entry& known = entry(key); known.key == key && choice.points - known.high >= high) return true;
        }
        return false;
    }

    Value try_all(std::uint64_t board, std::uint64_t key, std::size_t first, Value low, Value high) {
        const Value lowest = low;
        Value best = -LARGE;
        std::uint32_t best_code = 0;
        for (std::size_t i = first; i < choices_.size() && low < high; i++) {
            select(i);
            const Choice choice = choices_[i];
            const Value found = try_one(board, choice, low, high, i == first);
            if (nodes_left_ < 0) return best;
            if (found > best) best = found, best_code = choice.code;
            low = std::max(low, best);
            if (!choice.code) continue;
            std::int16_t& proved = history(choice.code);
            proved = std::int16_t(low >= high ? std::min(proved + 2, 200) : std::max(proved - 1, -200));
        }
        store(key, lowest, high, best, best_code);
        return best;
    }

    // Swap the best choice that is left to position *i*.
    void select(std::size_t i) {
        std::size_t best = i;
        for (std::size_t k = i + 1; k < choices_.size(); k++)
            if (choices_[k].order > choices_[best].order) best = k;
        std::swap(choices_[i], choices_[best]);
    }

    // The value of a move for the seat to move. All but the first are tested with an empty window.
    Value try_one(std::uint64_t board, const Choice& choice, Value low, Value high, bool first) {
        const int seat = state_.turn;
        const bool places = choice.move.kind == Kind::PLACE;
        const Undo<Tiles> undo(state_, places ? choice.move.slot : -1);
        state_.apply(choice.move, rules_);
        const int gained = state_.total[seat] - undo.total(seat), lost = state_.total[1 - seat] - undo.total(1 - seat);
        const Value delta = (gained - lost) * SCALE;
        const std::uint64_t after = places ? board ^ spread_bits(choice.code) : board;
        const auto rest = [&](Value from, Value to) -> Value {
            if (state_.turn == seat) return search(after, from - delta, to - delta) + delta;
            return -search(after, delta - to, delta - from) + delta;
        };
        Value found;
        if (state_.over()) {
            found = delta + (seat == me_ ? 1 : -1) * ending_value(state_);
        } else if (first) {
            found = rest(low, high);
        } else {
            found = rest(low, low + 1);
            if (found > low && found < high && nodes_left_ >= 0) found = rest(found - 1, high);
        }
        undo.restore(state_);
        return found;
    }

    static constexpr auto ATTACHED = attachments<Tiles>();
    const Rules& rules_;
    const int me_, win_weight_;
    const bool bounded_;
    bool draws_ = false;  // whether tiles may be drawn in the position to solve
    int highest_bonus_ = 0;
    std::int64_t nodes_left_;
    S state_;
    std::vector<Choice> choices_;  // of all plies that are being searched
    std::vector<Entry> table_;
    std::vector<std::int16_t> history_;  // by hashed code: how often a placement was good elsewhere
    std::size_t used_ = 0;
};

}  // namespace triomino::TRIOMINO_ARCH
