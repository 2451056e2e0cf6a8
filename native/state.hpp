// The state of one round as a value: copying it is a memcpy, and nothing is allocated.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "bytes.hpp"
#include "grid.hpp"
#include "ledger.hpp"
#include "rules.hpp"
#include "tiles.hpp"

namespace triomino::TRIOMINO_ARCH {

enum class Kind : std::uint8_t { PLACE, DRAW, KEEP, END, PASS };  // in the order of legal moves

struct Move {
    Kind kind = Kind::PASS;
    std::uint8_t tile = 0;
    std::uint8_t slot = 0;  // an index into the open cells
    std::uint8_t turn = 0;  // rotation of the first tile of a round: which corner lies at vertex 0
    friend bool operator==(Move, Move) = default;
};

// What apply tells of every score; *settles* if it belongs to the end of the round.
struct NoLog {
    void operator()(int, triomino::Reason, int, bool) const {}
};

template <int Tiles>
struct State {
    static constexpr int SLOTS = Set<Tiles>::SLOTS;
    static constexpr int ROW = Set<Tiles>::ROW;
    static constexpr int VERTICES = Set<Tiles>::VERTICES;
    static constexpr int NOTHING = Tables<Tiles>::NOTHING;
    static constexpr const Tables<Tiles>& TABLE = TABLES<Tiles>;
    static constexpr std::uint8_t EMPTY = 255, TAKEN = 254;  // other values of slot_of
    static constexpr int MOST_MOVES = 6 * (Tiles + 2) + 4;
    using TileMask = Mask<Set<Tiles>::WORDS>;
    using SlotMask = Mask<SLOTS / 64 + (SLOTS % 64 > 0)>;

    alignas(64) std::uint8_t counts[SLOTS];      // by tile: how many open cells it fits into
    alignas(64) std::uint8_t pattern_at[SLOTS];  // by slot: the pattern a tile must match; NOTHING if the slot is free
    std::int16_t spot[SLOTS];                    // by slot: its cell and a base shared with a tile
    alignas(64) std::uint8_t vertex[VERTICES];   // number + 1, or 0; plus 8 for each tile around it
    alignas(64) std::uint8_t slot_of[2 * VERTICES];  // by cell: its slot, EMPTY or TAKEN
    SlotMask open;
    std::array<TileMask, MOST_PLAYERS> rack;
    // What everybody may conclude from a draw or a pass: by seat, tiles that it did not have then, taking
    // every draw for a forced one, and how many tiles of its rack came later.
    std::array<TileMask, MOST_PLAYERS> lacks;
    std::uint8_t fresh[MOST_PLAYERS];
    Seats total;               // with latched and ending, the ledger of this round
    std::uint8_t pool[Tiles];  // in order; drawn tiles stay in front of next
    std::uint8_t next, pool_end;
    std::uint8_t laid;  // number of tiles on the board; which and where, in order of play, follows
    std::uint8_t laid_tile[Tiles];
    std::int16_t laid_cell[Tiles];
    std::uint8_t best_opening[MOST_PLAYERS];  // by seat: the highest-ranking tile
    std::uint8_t players, starter, turn;
    std::uint8_t draws;  // in this turn; the tiles are pool[next - draws .. next - 1]
    std::uint8_t idle;   // consecutive turns that count towards a blocked round
    bool latched;
    EndReason ending;
    std::uint8_t end_seats;           // bit mask of who went out or won the blocked round
    std::int32_t origin_x, origin_y;  // coordinates of vertex 0

    // --- Set-up ----------------------------------------------------------------------------------

    // Reset to an empty board; the caller then sets racks, pool and starter.
    void clear(int players_) {
        fill<sizeof counts>(counts, 0);
        fill<sizeof pattern_at>(pattern_at, NOTHING);
        fill<sizeof vertex>(vertex, 0);
        fill<sizeof slot_of>(slot_of, EMPTY);
        open = {};
        rack = {};
        lacks = {};
        std::memset(fresh, 0, sizeof fresh);
        total = {};
        std::memset(best_opening, 0, sizeof best_opening);
        origin_x = origin_y = 0;
        next = pool_end = laid = starter = turn = draws = idle = end_seats = 0;
        players = std::uint8_t(players_);
        latched = false;
        ending = EndReason::NONE;
    }

    void give(int seat, int tile, const Rules& rules) {
        rack[seat].add(tile);
        if (!rules.starter_free_choice) {
            auto& best = best_opening[seat];
            if (rack[seat].count() == 1 || TABLE.rank[tile] > TABLE.rank[best]) best = std::uint8_t(tile);
        }
    }

    // --- Queries ---------------------------------------------------------------------------------

    bool over() const { return ending != EndReason::NONE; }
    int pool_size() const { return pool_end - next; }

    // All tiles that fit somewhere, whoever holds them.
    TileMask playable() const {
        if (!laid) return TABLE.all;
        return ~zeros<SLOTS>(counts) & TABLE.all;
    }

    // The open cells that a tile fits into.
    SlotMask slots_for(int tile) const { return any_of<SLOTS>(pattern_at, TABLE.patterns[tile]); }

    // The tiles the seat to move may place, provided they fit.
    TileMask candidates(const Rules& rules) const {
        if (draws && rules.drawn_only && (laid || rules.starter_free_choice)) [[unlikely]]
            return TileMask::of(pool[next - 1]);
        if (!laid && !rules.starter_free_choice) [[unlikely]] {
            if (!rack[turn].any()) return {};
            const int best = best_opening[turn];
            TileMask tiles = TileMask::of(best);
            if (TABLE.triple[best] && TABLE.value[best] && rules.triple_zero_start >= 0)
                tiles = tiles | (rack[turn] & TABLE.of_value[0]);
            return tiles;
        }
        return rack[turn];
    }

    bool last_drawn_fits() const { return draws && playable().has(pool[next - 1]); }

    // Whether a move other than a placement is legal; *able* says whether a placement is.
    bool may_draw(const Rules& rules, bool able) const {
        if (next == pool_end || draws >= rules.max_draws) return false;
        if (!laid) return rules.opening_draw;
        return !able || rules.voluntary_draw == triomino::VoluntaryDraw::ALWAYS ||
               (rules.voluntary_draw == triomino::VoluntaryDraw::FIRST_ONLY && !draws);
    }
    bool may_keep(const Rules& rules) const {
        if (!rules.may_keep || !laid || !last_drawn_fits()) return false;
        return !(rules.must_place_after_last_draw && draws >= rules.max_draws);
    }
    bool may_end(const Rules& rules, bool able) const {
        if (!laid || draws < rules.max_draws) return false;
        if (rules.must_place_after_last_draw && able) return false;
        return !(rules.may_keep && last_drawn_fits());
    }
    bool may_pass(const Rules& rules, bool able) const {
        if (!laid || draws >= rules.max_draws) return false;
        if (next != pool_end) return rules.one_then_optional && draws && !able;
        return rules.voluntary_pass || !able;
    }

    // Write all legal moves, in the order of triomino.Game.legal_moves, and return their number.
    TRIOMINO_NOINLINE int legal(const Rules& rules, Move* out) const {
        if (over()) return 0;
        const Move* const first = out;
        const TileMask tiles = candidates(rules) & playable();
        if (!laid) {
            std::uint8_t order[Tiles];
            const int count = in_public_order(tiles, order);
            for (int i = 0; i < count; i++)
                for (int way = 0; way < (TABLE.triple[order[i]] ? 1 : 3); way++)
                    *out++ = {Kind::PLACE, order[i], 0, std::uint8_t(way)};
        } else {
            struct Found {
                int key;
                Move move;
            } found[MOST_MOVES];
            int count = 0;
            tiles.each([&](int tile) {
                slots_for(tile).each([&](int slot) {
                    found[count++] = {cell_of(spot[slot]) * 128 + TABLE.public_index[tile],
                                      {Kind::PLACE, std::uint8_t(tile), std::uint8_t(slot)}};
                });
            });
            std::sort(found, found + count, [](const Found& a, const Found& b) { return a.key < b.key; });
            for (int i = 0; i < count; i++) *out++ = found[i].move;
        }
        const bool able = out != first;
        if (may_draw(rules, able)) *out++ = {Kind::DRAW};
        if (may_keep(rules)) *out++ = {Kind::KEEP};
        if (may_end(rules, able)) *out++ = {Kind::END};
        if (may_pass(rules, able)) *out++ = {Kind::PASS};
        return int(out - first);
    }

    static int in_public_order(TileMask tiles, std::uint8_t* out) {
        int count = 0;
        tiles.each([&](int tile) { out[count++] = std::uint8_t(tile); });
        std::sort(out, out + count, [](int a, int b) { return TABLE.public_index[a] < TABLE.public_index[b]; });
        return count;
    }

    // The bonus of placing a tile into an open cell.
    Bonus bonus(int slot, const Rules& rules) const {
        if (pattern_at[slot] < PAIRS) return Bonus::NONE;
        const Facing& f = facing(spot[slot]);
        const int here = cell_of(spot[slot]), at = here >> 1;
        const auto taken = [&](const Neighbour& b) { return slot_of[cell_index(here + b.cell)] == TAKEN; };
        return bonus_of(rules, vertex[vertex_index(at + f.first)] >> 3, vertex[vertex_index(at + f.second)] >> 3,
                        vertex[vertex_index(at + f.apex)] >> 3, taken(f.left), taken(f.right));
    }

    int bonus_points(Bonus bonus, const Rules& rules) const { return triomino::bonus_points(rules, bonus); }

    // The points of a legal move on its own, before any floor and without the end of the round.
    int points(Move move, const Rules& rules) const {
        if (!rules.scoring) return 0;
        switch (move.kind) {
            case Kind::PLACE:
                return placement_points(rules, TABLE.value[move.tile], TABLE.triple[move.tile],
                                        laid ? bonus(move.slot, rules) : Bonus::NONE, !laid);
            case Kind::DRAW: {
                const bool extra = draws + 1 == rules.max_draws && (rules.extra_on_last_draw || rules.draw_ends_turn);
                return -rules.draw_cost - (extra ? rules.no_play_extra : 0);
            }
            case Kind::PASS: return next == pool_end ? -rules.empty_pool_penalty : 0;
            default: return draws == rules.max_draws && !rules.extra_on_last_draw ? -rules.no_play_extra : 0;
        }
    }

    int rack_value(int seat) const {
        int sum = 0;
        rack[seat].each([&](int tile) { sum += TABLE.value[tile]; });
        return sum;
    }

    // Bit mask of who won this round on its own.
    TRIOMINO_NOINLINE int winners(const Rules& rules, const Seats& round_totals) const {
        return over() ? round_winners(rules, players, end_seats, total, round_totals) : 0;
    }

    // --- Moves -----------------------------------------------------------------------------------

    // Play a legal move; returns the bonus it made, NONE where the rules keep no points. Every score is
    // passed to *log*, in order.
    template <class Log = NoLog>
    Bonus apply(Move move, const Rules& rules, Log log = {}) {
        const int seat = turn;
        switch (move.kind) {
            case Kind::PLACE: {
                Bonus made = Bonus::NONE;
                if (laid) [[likely]] {
                    made = lay(move.tile, move.slot, rules);
                    if (rules.scoring) {
                        if (rules.placement_sum == triomino::PlacementSum::ALL)
                            score(seat, TABLE.value[move.tile], rules, Reason::TILE, log);
                        if (made != Bonus::NONE) score(seat, bonus_points(made, rules), rules, reason_of(made), log);
                    } else {
                        made = Bonus::NONE;
                    }
                } else {
                    play_opening(move, seat, rules, log);
                }
                rack[seat].remove(move.tile);
                note_placed(seat, move.tile);
                idle = 0;
                if (!rack[seat].any()) [[unlikely]] {
                    go_out(seat, rules, log);
                } else {
                    end_turn(rules, seat, log);
                }
                return made;
            }
            case Kind::DRAW: {
                if (!laid) [[unlikely]]
                    give(seat, pool[next], rules);
                note_unable(seat);
                fresh[seat]++;
                rack[seat].add(pool[next++]);
                draws++;
                if (rules.scoring && rules.draw_cost) score(seat, -rules.draw_cost, rules, Reason::DRAW, log);
                if (rules.extra_on_last_draw) charge_no_play(seat, rules, log);
                if (rules.draw_ends_turn) {
                    if (!rules.extra_on_last_draw) charge_no_play(seat, rules, log);
                    end_without_placing(seat, rules, rules.all_pass, log);
                }
                return Bonus::NONE;
            }
            case Kind::PASS: {
                const bool dry = next == pool_end;
                if (!rules.voluntary_pass) note_unable(seat);
                if (dry && rules.scoring && rules.empty_pool_penalty)
                    score(seat, -rules.empty_pool_penalty, rules, Reason::EMPTY_POOL, log);
                end_without_placing(seat, rules, rules.all_pass || dry, log);
                return Bonus::NONE;
            }
            default:
                if (move.kind == Kind::END) note_unable(seat);
                if (!rules.extra_on_last_draw) charge_no_play(seat, rules, log);
                end_without_placing(seat, rules, rules.all_pass, log);
                return Bonus::NONE;
        }
    }

    // Conclude from a draw or a pass that a seat has no tile that fits now.
    void note_unable(int seat) {
        if (!laid) return;
        lacks[seat] = fresh[seat] ? playable() : lacks[seat] | playable();
        fresh[seat] = 0;
    }
    // A tile that a seat did not have then must have come later.
    void note_placed(int seat, int tile) {
        if (fresh[seat] && lacks[seat].has(tile)) fresh[seat]--;
    }

    // The tiles that would score more than this placement: who plays for points has none of them.
    TRIOMINO_NOINLINE TileMask outscoring(int tile, int slot, const Rules& rules) const {
        const bool sums = rules.scoring && rules.placement_sum == triomino::PlacementSum::ALL;
        const auto worth = [&](int which, Bonus made) {
            const int value = TABLE.value[which], bonus_part = rules.scoring ? bonus_points(made, rules) : 0;
            return ((sums ? value : 0) + bonus_part) << 4 | value;
        };
        const int chosen = worth(tile, bonus(slot, rules));
        TileMask better;
        playable().each([&](int other) {
            if (worth(other, Bonus::NONE) > chosen) better.add(other);
        });
        (at_least<SLOTS>(pattern_at, PAIRS) & open).each([&](int where) {
            const int other = pattern_at[where] - PAIRS;
            if (other < Tiles && worth(other, bonus(where, rules)) > chosen) better.add(other);
        });
        return better;
    }

    // Lay the first tile on cell 0 or, pointing down, 1; *way* is the corner at vertex 0.
    TRIOMINO_NOINLINE void lay_first(int tile, int way, int down = 0) {
        const int here = spot_of(down);
        const Facing& f = facing(here);
        int seen[3];
        for (int i = 0; i < 3; i++) seen[i] = TABLE.corners[tile][(i + way) % 3] + 1;
        vertex[vertex_index(f.first)] = std::uint8_t(seen[0] | 8);
        vertex[vertex_index(f.second)] = std::uint8_t(seen[1] | 8);
        vertex[vertex_index(f.apex)] = std::uint8_t(seen[2] | 8);
        slot_of[down] = TAKEN;
        laid_tile[0] = std::uint8_t(tile);
        laid_cell[0] = std::int16_t(down);
        laid = 1;
        const Change base = open_cell(here, f.base, seen[1] << 6 | seen[0] << 3, open);
        const Change left = open_cell(here, f.left, seen[0] << 6 | seen[2] << 3, open);
        const Change right = open_cell(here, f.right, seen[2] << 6 | seen[1] << 3, open);
        update_counts(base.before, base.after, left, right);
    }

    // Lay a tile into an open cell; returns the bonus made.
    Bonus lay(int tile, int slot, const Rules& rules) {
        const int asked = pattern_at[slot];
        if (asked >= PAIRS) [[unlikely]]
            return lay_between(tile, slot, rules);
        // The common case: one neighbouring tile, and a third corner without a number.
        const int seen = spot[slot], at = seen >> 3;
        const Facing& f = facing(seen);
        SlotMask now = occupy(tile, slot);
        std::uint8_t& first = vertex[vertex_index(at + f.first)];
        std::uint8_t& second = vertex[vertex_index(at + f.second)];
        const int a = first & 7, b = second & 7, c = TABLE.value[tile] + 3 - a - b, tip = at + f.apex;
        first += 8;
        second += 8;
        vertex[vertex_index(tip)] = std::uint8_t(8 + c);
        const auto ring = [&](int i) { return slot_of[cell_index(2 * tip + f.ring_cell[i])]; };
        if ((ring(0) & ring(1) & ring(2)) != EMPTY) [[unlikely]]
            update_ring(tip, f, c);
        const Change left = open_cell(seen, f.left, a << 6 | c << 3, now);
        const Change right = open_cell(seen, f.right, c << 6 | b << 3, now);
        open = now;
        update_counts(asked, NOTHING, left, right);
        return Bonus::NONE;
    }

    static const Facing& facing(int seen) { return FACINGS<ROW>[seen & 7]; }
    static int vertex_index(int number) { return number & (VERTICES - 1); }
    static int cell_index(int number) { return number & (2 * VERTICES - 1); }

   private:
    struct Change {
        int before, after;  // patterns
    };

    // Open the empty cell next to a tile just laid, or update its pattern, which depends only on the
    // two numbers of the shared edge and on the apex. Whether the cell was open before is
    // unpredictable, so this is branch-free.
    Change open_cell(int from, const Neighbour& b, int edge, SlotMask& now) {
        const int to = from + b.step;
        std::uint8_t& known = slot_of[cell_index(cell_of(to))];
        const int after = TABLE.pattern[edge | (vertex[vertex_index((from >> 3) + b.apex)] & 7)];
        const int free = (~now).lowest(), was_open = -int(known < SLOTS);
        const int slot = (known & was_open) | (free & ~was_open);
        const int before = pattern_at[slot];
        pattern_at[slot] = std::uint8_t(after);
        known = std::uint8_t(slot);
        spot[slot] = std::int16_t(to);
        now.add(slot);
        return {before, after};
    }

    // Update the counts for three slots whose patterns changed.
    void update_counts(int before, int after, Change left, Change right) {
        const auto& fits = TABLE.fits;
        const std::uint8_t *less = fits[before].data(), *more = fits[after].data();
        const std::uint8_t *less_left = fits[left.before].data(), *more_left = fits[left.after].data();
        const std::uint8_t *less_right = fits[right.before].data(), *more_right = fits[right.after].data();
        for (int i = 0; i < SLOTS; i++)
            counts[i] = std::uint8_t(counts[i] - less[i] + more[i] - less_left[i] + more_left[i] - less_right[i] +
                                     more_right[i]);
    }

    // Occupy the cell of a slot; returns the slots that remain open.
    SlotMask occupy(int tile, int slot) {
        const int here = cell_of(spot[slot]);
        slot_of[cell_index(here)] = TAKEN;
        pattern_at[slot] = NOTHING;
        laid_tile[laid] = std::uint8_t(tile);
        laid_cell[laid++] = std::int16_t(here);
        SlotMask now = open;
        now.remove(slot);
        return now;
    }

    // Lay a tile where all three corners are known, and perhaps more than one neighbour.
    TRIOMINO_NOINLINE Bonus lay_between(int tile, int slot, const Rules& rules) {
        const int seen = spot[slot], here = cell_of(seen), at = here >> 1, asked = pattern_at[slot];
        const Facing& f = facing(seen);
        SlotMask now = occupy(tile, slot);
        std::uint8_t& first = vertex[vertex_index(at + f.first)];
        std::uint8_t& second = vertex[vertex_index(at + f.second)];
        std::uint8_t& apex = vertex[vertex_index(at + f.apex)];
        const int a = first & 7, b = second & 7, c = apex & 7;
        const bool by_left = slot_of[cell_index(here + f.left.cell)] == TAKEN;
        const bool by_right = slot_of[cell_index(here + f.right.cell)] == TAKEN;
        const Bonus made = bonus_of(rules, first >> 3, second >> 3, apex >> 3, by_left, by_right);
        first += 8;
        second += 8;
        apex += 8;
        Change left{NOTHING, NOTHING}, right{NOTHING, NOTHING};
        if (!by_left) left = open_cell(seen, f.left, a << 6 | c << 3, now);
        if (!by_right) right = open_cell(seen, f.right, c << 6 | b << 3, now);
        open = now;
        update_counts(asked, NOTHING, left, right);
        return made;
    }

    // A vertex got its number: update the open cells around it, which now match a single tile.
    TRIOMINO_NOINLINE void update_ring(int at, const Facing& f, int number) {
        for (int i = 0; i < 3; i++) {
            const int slot = slot_of[cell_index(2 * at + f.ring_cell[i])];
            if (slot == EMPTY) continue;
            const int right = vertex[vertex_index(at + f.ring_vertex[i])] & 7;
            const int left = vertex[vertex_index(at + f.ring_vertex[i + 1])] & 7;
            const int before = pattern_at[slot], after = TABLE.pattern[left << 6 | right << 3 | number];
            pattern_at[slot] = std::uint8_t(after);
            const std::uint8_t *less = TABLE.fits[before].data(), *more = TABLE.fits[after].data();
            for (int j = 0; j < SLOTS; j++) counts[j] = std::uint8_t(counts[j] - less[j] + more[j]);
        }
    }

    template <class Log>
    TRIOMINO_NOINLINE void play_opening(Move move, int seat, const Rules& rules, Log log) {
        lay_first(move.tile, move.turn);
        if (!rules.scoring) return;
        if (!TABLE.value[move.tile] && rules.triple_zero_start >= 0) {
            score(seat, rules.triple_zero_start, rules, Reason::START, log);
            return;
        }
        if (rules.placement_sum != triomino::PlacementSum::NONE)
            score(seat, TABLE.value[move.tile], rules, Reason::TILE, log);
        if (TABLE.triple[move.tile] && rules.triple_start_bonus)
            score(seat, rules.triple_start_bonus, rules, Reason::START, log);
    }

    static Reason reason_of(Bonus bonus) { return Reason(int(Reason::BRIDGE) + int(bonus) - int(Bonus::BRIDGE)); }

    // Enter points for a seat: apply the floor, and test the target after each entry.
    template <class Log>
    void score(int seat, int points, const Rules& rules, Reason reason, Log log) {
        if (points < 0 && rules.floor_at_zero) points = -std::min(-points, std::max(0, int(total[seat])));
        total[seat] += points;
        if (rules.latch_any_moment) latched = latched || meets_target(rules, total[seat]);
        log(seat, reason, points, over());
    }

    // The extra cost of a full set of draws without a placement.
    template <class Log>
    void charge_no_play(int seat, const Rules& rules, Log log) {
        if (draws == rules.max_draws && rules.scoring && rules.no_play_extra)
            score(seat, -rules.no_play_extra, rules, Reason::NO_PLAY, log);
    }

    template <class Log>
    void end_without_placing(int seat, const Rules& rules, bool counts_as_idle, Log log) {
        idle = counts_as_idle ? std::uint8_t(idle + 1) : 0;
        end_turn(rules, seat, log);
    }

    // End the turn: settle the round if it is blocked, else the next seat is to move.
    template <class Log>
    void end_turn(const Rules& rules, int seat, Log log) {
        draws = 0;
        if (next == pool_end || idle >= players) [[unlikely]] {
            const bool lap = rules.empty_pool_penalty > 0 || rules.voluntary_pass;
            if (idle >= players || (next == pool_end && !lap && !somebody_can_place())) {
                settle_blocked(rules, log);
                return;
            }
        }
        turn = std::uint8_t(seat + 1 == players ? 0 : seat + 1);
    }

    TRIOMINO_NOINLINE bool somebody_can_place() const {
        TileMask all{};
        for (int seat = 0; seat < players; seat++) all = all | rack[seat];
        return (all & playable()).any();
    }

    template <class Log>
    TRIOMINO_NOINLINE void go_out(int seat, const Rules& rules, Log log) {
        ending = EndReason::OUT;
        end_seats = std::uint8_t(1 << seat);
        draws = 0;
        credit_round(rules);
        if (!rules.scoring) return;
        if (rules.out_bonus) score(seat, rules.out_bonus, rules, Reason::OUT, log);
        if (!rules.out_takes_opponents) return;
        int others = 0;
        for (int other = 0; other < players; other++)
            if (other != seat) others += rack_value(other);
        score(seat, others, rules, Reason::OTHERS_LEFT, log);
    }

    // In a series without points, add the round to the totals of its winners. Nothing has been
    // scored, so these are the totals the round began with.
    void credit_round(const Rules& rules) {
        if (!counts_rounds(rules)) return;
        const int won = winners(rules, total);
        for (int seat = 0; seat < players; seat++) total[seat] += won >> seat & 1;
    }

    // --- A blocked round -------------------------------------------------------------------------

    using PerSeat = std::array<int, MOST_PLAYERS>;

    // The seats among *of* (a bit mask) with the lowest value.
    int lowest(const PerSeat& values, int of) const {
        int best = 1 << 30, bits = 0;
        for (int seat = 0; seat < players; seat++) {
            if (!(of >> seat & 1) || values[seat] > best) continue;
            bits = values[seat] < best ? 1 << seat : bits | 1 << seat;
            best = values[seat];
        }
        return bits;
    }

    template <class Log>
    TRIOMINO_NOINLINE void settle_blocked(const Rules& rules, Log log) {
        using triomino::Blocked;
        using triomino::BlockedTie;
        PerSeat left{}, sizes{};
        for (int seat = 0; seat < players; seat++) left[seat] = rack_value(seat), sizes[seat] = rack[seat].count();
        ending = EndReason::BLOCKED;
        const int everyone = (1 << players) - 1;
        if (rules.blocked == Blocked::FEWEST_TILES || rules.blocked == Blocked::FEWEST_TILES_TAKES_OTHERS) {
            end_seats = std::uint8_t(lowest(sizes, everyone));
        } else if (rules.blocked != Blocked::SUBTRACT_OWN) {
            int seats = lowest(left, everyone);
            if (rules.blocked_tie == BlockedTie::FEWEST_TILES) seats = lowest(sizes, seats);
            end_seats = std::uint8_t(seats);
        }
        credit_round(rules);
        if (!rules.scoring || rules.blocked == Blocked::FEWEST_TILES) return;
        if (rules.blocked == Blocked::SUBTRACT_OWN) {
            for (int seat = 0; seat < players; seat++) score(seat, -left[seat], rules, Reason::OWN_LEFT, log);
            return;
        }
        const bool tied = (end_seats & (end_seats - 1)) != 0;
        if (tied && rules.blocked_tie == BlockedTie::NONE) return;
        for (int seat = 0; seat < players; seat++) {
            if (!(end_seats >> seat & 1)) continue;
            const int spared = rules.blocked_tie == BlockedTie::LOSERS_ONLY ? end_seats : 1 << seat;
            int sum = 0, others = 0;
            for (int other = 0; other < players; other++)
                if (!(spared >> other & 1)) sum += left[other], others++;
            score(seat, sum, rules, Reason::OTHERS_LEFT, log);
            if (rules.blocked == Blocked::LOWEST_TAKES_OTHERS_MINUS_OWN)
                score(seat, -left[seat], rules, Reason::OWN_LEFT, log);
            if (rules.blocked == Blocked::LOWEST_TAKES_DIFFERENCES)
                score(seat, -left[seat] * others, rules, Reason::OWN_LEFT, log);
        }
    }
};

}  // namespace triomino::TRIOMINO_ARCH
