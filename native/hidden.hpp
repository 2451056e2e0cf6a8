// Where the tiles are that a seat does not see, inferred from everything the others did: a Markov chain
// over all ways in which tiles may have come to racks. A way that contradicts how people play (who draws
// has nothing that fits, who places has nothing that scores more) is less likely, not impossible.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "dice.hpp"
#include "engine.hpp"
#include "state.hpp"
#include "worlds.hpp"

namespace triomino::TRIOMINO_ARCH {

// The unseen tiles of a plan that are not in play in a world dealt by it.
template <int Tiles>
typename State<Tiles>::TileMask unused_tiles(const State<Tiles>& world, const WorldPlan& plan) {
    typename State<Tiles>::TileMask unused{};
    public_tiles(plan.unseen).each([&](int tile) { unused.add(TABLES<Tiles>.of_public[tile]); });
    for (int seat = 0; seat < world.players; seat++) unused = unused & ~world.rack[seat];
    for (int i = world.next; i < world.pool_end; i++) unused.remove(world.pool[i]);
    return unused;
}

template <int Tiles>
class HiddenTiles {
   public:
    using S = State<Tiles>;
    using TileMask = typename S::TileMask;

    // Begin with *world*, a position that the seat to move in *base* could be in, and the history that
    // *events* tell; *unused* are unseen tiles beside those in play. Returns false if they do not agree.
    bool start(const S& base, const S& world, const Rules& rules, const std::vector<Event>& events, TileMask unused,
               Dice& dice) {
        me_ = base.turn, players_ = base.players, pool_size_ = world.pool_size();
        if (!read(base, world, rules, events)) return false;
        assign(world, unused, dice);
        for (int seat = 0; seat < players_; seat++) cost_[seat] = cost_of(seat);
        steps(BURN_IN * int(held_.size()), dice);
        return true;
    }

    // Go on to the next world and write its hidden tiles.
    void deal(S& world, Dice& dice) {
        steps(STEPS * int(held_.size()), dice);
        for (int seat = 0; seat < players_; seat++)
            if (seat != me_) world.rack[seat] = {};
        for (const Held& held : held_) world.rack[held.seat].add(rack_[held.seat].slot[held.slot].tile);
        for (int i = 0; i < pool_size_; i++) {
            std::swap(rest_[i], rest_[i + int(dice.below(std::uint32_t(rest_size_ - i)))]);
            world.pool[world.next + i] = rest_[i];
        }
        world.pool_end = std::uint8_t(world.next + pool_size_);
    }

   private:
    // Costs of a contradiction: each halves how likely a way is.
    static constexpr int UNLIKELY = 4, IMPOSSIBLE = 40;
    static constexpr int BURN_IN = 20, STEPS = 2;  // steps before the first world and between two, by hidden tile
    static constexpr int HELD = 255;

    struct Slot {
        std::uint8_t tile;
        std::uint8_t since, until;  // it was one of the tiles to come since .. until - 1; HELD while on the rack
        std::uint8_t held;          // its index in held_
    };
    // What a move says: the first *to* tiles to come, or the last of them, were none of *bad*.
    struct Clue {
        TileMask bad;
        std::uint8_t to, cost;
        bool last;
    };
    struct Rack {
        int size = 0;
        Slot slot[Tiles]{};
        std::vector<Clue> clues;
    };
    struct Held {
        std::uint8_t seat, slot;
    };
    struct Placed {
        int seat;
        Slot slot;
    };

    // Replay the round; returns false if the events are not its own.
    bool read(const S& base, const S& world, const Rules& rules, const std::vector<Event>& events) {
        int arrived[MOST_PLAYERS] = {}, placed[MOST_PLAYERS] = {}, draws = 0, pool = world.pool_size(), drawn_total = 0;
        for (int seat = 0; seat < players_; seat++) arrived[seat] = world.rack[seat].count();
        for (const Event& event : events) {
            if (event.seat >= players_) return false;
            arrived[event.seat] += (event.kind == int(Kind::PLACE)) - (event.kind == int(Kind::DRAW));
            drawn_total += event.kind == int(Kind::DRAW);
        }
        for (int count : arrived)
            if (count < 0) return false;
        pool += drawn_total;
        S board;
        if (!lay_before(board, base, events)) return false;
        TileMask laid{};
        for (int i = 0; i < board.laid; i++) laid.add(board.laid_tile[i]);
        int who = -1;
        for (const Event& event : events) {
            const int seat = event.seat;
            if (seat != who) who = seat, draws = 0;
            auto& clues = rack_[seat].clues;
            const auto note = [&](TileMask bad, int cost, bool last = false) {
                bad = bad & ~laid;
                if (seat != me_ && bad.any() && (draws || !last))
                    clues.push_back({bad, std::uint8_t(arrived[seat]), std::uint8_t(cost), last});
            };
            const TileMask fits = board.laid ? board.playable() : TileMask{};
            const bool only_last = draws && rules.drawn_only;
            switch (Kind(event.kind)) {
                case Kind::PLACE: {
                    if (placed[seat]++ >= arrived[seat]) return false;
                    const int tile = base.laid_tile[board.laid];
                    if (!board.laid) {
                        note_opening(seat, tile, rules, arrived);
                    } else if (!only_last) {
                        const int slot = board.slot_of[S::cell_index(base.laid_cell[board.laid])];
                        if (slot < S::SLOTS) note(board.outscoring(tile, slot, rules), UNLIKELY);
                    }
                    if (!lay_next(board, base)) return false;
                    laid.add(tile);
                    const int since = only_last ? arrived[seat] - 1 : 0;
                    if (seat != me_)
                        placed_.push_back(
                            {seat, {std::uint8_t(tile), std::uint8_t(since), std::uint8_t(arrived[seat]), 0}});
                    draws = 0;
                    break;
                }
                case Kind::DRAW: {
                    const bool forced = rules.voluntary_draw == VoluntaryDraw::NEVER ||
                                        (rules.voluntary_draw == VoluntaryDraw::FIRST_ONLY && draws);
                    note(fits, forced ? IMPOSSIBLE : UNLIKELY, only_last);
                    arrived[seat]++, draws++, pool--;
                    if (rules.draw_ends_turn) draws = 0;
                    break;
                }
                case Kind::KEEP:
                    note(~fits, IMPOSSIBLE, true);
                    draws = 0;
                    break;
                case Kind::END:
                    if (rules.may_keep) note(fits, IMPOSSIBLE, true);
                    note(fits, rules.must_place_after_last_draw ? IMPOSSIBLE : UNLIKELY, only_last);
                    draws = 0;
                    break;
                default: note(fits, pool > 0 || !rules.voluntary_pass ? IMPOSSIBLE : UNLIKELY, only_last); draws = 0;
            }
        }
        for (int seat = 0; seat < players_; seat++) rack_[seat].size = arrived[seat];
        return board.laid == base.laid;
    }

    // What a first tile says of the starter and, where it was chosen by racks, of everybody.
    void note_opening(int seat, int tile, const Rules& rules, const int* arrived) {
        const auto& table = TABLES<Tiles>;
        const bool zero = !table.value[tile] && rules.triple_zero_start >= 0;
        if (!rules.starter_free_choice && zero) return;
        const auto worth = [&](int which) {
            return placement_points(rules, table.value[which], table.triple[which], Bonus::NONE, true) << 4 |
                   table.value[which];
        };
        TileMask better{};
        table.all.each([&](int other) {
            const bool more =
                rules.starter_free_choice ? worth(other) > worth(tile) : table.rank[other] > table.rank[tile];
            if (more) better.add(other);
        });
        if (!better.any()) return;
        const bool by_hand = rules.starts_by_hand && rules.next_starter == NextStarter::SET_UP && !rules.opening_draw;
        for (int other = 0; other < players_; other++) {
            if (other == me_) continue;
            if (other == seat || (by_hand && !rules.starter_free_choice))
                rack_[other].clues.push_back({better, std::uint8_t(arrived[other]),
                                              std::uint8_t(rules.starter_free_choice ? UNLIKELY : IMPOSSIBLE), false});
        }
    }

    // A first way: placed tiles came as late as they can have, the rest by chance.
    void assign(const S& world, TileMask unused, Dice& dice) {
        for (const Placed& placed : placed_) {
            int at = placed.slot.until - 1;
            while (rack_[placed.seat].slot[at].until) at--;
            rack_[placed.seat].slot[at] = placed.slot;
        }
        for (int seat = 0; seat < players_; seat++) {
            if (seat == me_) continue;
            std::uint8_t tiles[Tiles];
            int left = 0;
            world.rack[seat].each([&](int tile) { tiles[left++] = std::uint8_t(tile); });
            for (int i = 0; i < rack_[seat].size; i++) {
                Slot& slot = rack_[seat].slot[i];
                if (slot.until) continue;
                const int which = int(dice.below(std::uint32_t(left)));
                slot = {tiles[which], 0, HELD, std::uint8_t(held_.size())};
                tiles[which] = tiles[--left];
                held_.push_back({std::uint8_t(seat), std::uint8_t(i)});
            }
        }
        for (int i = world.next; i < world.pool_end; i++) rest_[rest_size_++] = world.pool[i];
        unused.each([&](int tile) { rest_[rest_size_++] = std::uint8_t(tile); });
    }

    int cost_of(int seat) const {
        const Rack& rack = rack_[seat];
        TileMask seen{};
        int at = 0, sum = 0;
        for (const Clue& clue : rack.clues) {
            for (; at < clue.to; at++) seen.add(rack.slot[at].tile);
            const bool contradicts = clue.last ? clue.bad.has(rack.slot[clue.to - 1].tile) : (seen & clue.bad).any();
            sum += contradicts ? clue.cost : 0;
        }
        return sum;
    }

    void steps(int count, Dice& dice) {
        for (int i = 0; i < count; i++) {
            if (dice.below(4))
                swap_held(dice);
            else
                swap_within(dice);
        }
    }

    static bool accepts(int more, Dice& dice) { return more <= 0 || (more < 64 && !(dice.bits() >> (64 - more))); }

    // Exchange a hidden tile of a rack with another hidden tile.
    void swap_held(Dice& dice) {
        const int count = int(held_.size());
        const Held a = held_[dice.below(std::uint32_t(count))];
        const int other = int(dice.below(std::uint32_t(count + rest_size_)));
        std::uint8_t& here = rack_[a.seat].slot[a.slot].tile;
        if (other >= count) {
            std::uint8_t& there = rest_[other - count];
            std::swap(here, there);
            const int cost = cost_of(a.seat);
            if (accepts(cost - cost_[a.seat], dice))
                cost_[a.seat] = cost;
            else
                std::swap(here, there);
            return;
        }
        const Held b = held_[std::size_t(other)];
        std::uint8_t& there = rack_[b.seat].slot[b.slot].tile;
        std::swap(here, there);
        const int cost = cost_of(a.seat), cost_b = a.seat == b.seat ? 0 : cost_of(b.seat);
        const int before = cost_[a.seat] + (a.seat == b.seat ? 0 : cost_[b.seat]);
        if (accepts(cost + cost_b - before, dice)) {
            cost_[a.seat] = cost;
            if (a.seat != b.seat) cost_[b.seat] = cost_b;
        } else {
            std::swap(here, there);
        }
    }

    // Let two tiles of a rack, placed or not, have come at each other's time.
    void swap_within(Dice& dice) {
        const int seat = held_[dice.below(std::uint32_t(held_.size()))].seat;
        Rack& rack = rack_[seat];
        const int i = int(dice.below(std::uint32_t(rack.size))), j = int(dice.below(std::uint32_t(rack.size)));
        Slot &a = rack.slot[i], &b = rack.slot[j];
        if (a.until <= j || b.until <= i || a.since > j || b.since > i) return;
        std::swap(a, b);
        const int cost = cost_of(seat);
        if (!accepts(cost - cost_[seat], dice)) {
            std::swap(a, b);
            return;
        }
        cost_[seat] = cost;
        if (a.until == HELD) held_[a.held].slot = std::uint8_t(i);
        if (b.until == HELD) held_[b.held].slot = std::uint8_t(j);
    }

    int me_ = 0, players_ = 0, pool_size_ = 0, rest_size_ = 0;
    Rack rack_[MOST_PLAYERS];
    int cost_[MOST_PLAYERS] = {};
    std::vector<Held> held_;
    std::vector<Placed> placed_;
    std::uint8_t rest_[Tiles];  // the pool, and tiles that are not in play
};

}  // namespace triomino::TRIOMINO_ARCH
