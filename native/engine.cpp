// One engine for each set. This file is built once for every instruction set, each time in a
// namespace of its own, so nothing here may be shared with the other: no library containers.
#include "engine.hpp"

#include "fair.hpp"
#include "moments.hpp"
#include "plain.hpp"
#include "playout.hpp"
#include "search.hpp"
#include "worlds.hpp"

#define TRIOMINO_TEXT_(name) #name
#define TRIOMINO_TEXT(name) TRIOMINO_TEXT_(name)

namespace triomino::TRIOMINO_ARCH {

template <int Tiles>
class EngineOf final : public Engine {
    using S = State<Tiles>;
    static_assert(S::MOST_MOVES <= MOST_MOVES);
    static const S& at(const void* state) { return *static_cast<const S*>(state); }
    static S& at(void* state) { return *static_cast<S*>(state); }

   public:
    const char* name() const override { return TRIOMINO_TEXT(TRIOMINO_ARCH); }
    std::size_t state_size() const override { return sizeof(S); }
    int tiles() const override { return Tiles; }
    int vertices() const override { return S::VERTICES; }

    const char* load(void* state, const Rules& rules, const Position& position) const override {
        return load_state(at(state), rules, position);
    }
    void dump(const void* state, Position& out) const override { dump_state(at(state), out); }

    int legal(const void* state, const Rules& rules, PlainMove* out) const override {
        Move moves[S::MOST_MOVES];
        const int count = at(state).legal(rules, moves);
        const Atlas<Tiles> atlas(at(state));
        for (int i = 0; i < count; i++) out[i] = plain_move(at(state), moves[i], atlas);
        return count;
    }
    bool apply(void* state, const Rules& rules, const PlainMove& move, int* bonus) const override {
        Move found;
        if (!find(at(state), rules, move, found)) return false;
        *bonus = int(at(state).apply(found, rules));
        return true;
    }
    int points(const void* state, const Rules& rules, const PlainMove& move) const override {
        Move found;
        return find(at(state), rules, move, found) ? at(state).points(found, rules) : 0;
    }
    std::uint64_t perft(const void* state, const Rules& rules, int depth) const override {
        return depth ? count_tree(at(state), rules, depth) : 1;
    }

    void playouts(const Rules& rules, int players, Policy policy, std::uint64_t seed, std::int64_t first,
                  std::int64_t count, const RoundResults& out) const override {
        rounds(policy, rules, nullptr, players, seed, first, count, out);
    }
    void rollouts(const void* from, const Rules& rules, Policy policy, std::uint64_t seed, std::int64_t first,
                  std::int64_t count, const RoundResults& out) const override {
        rounds(policy, rules, &at(from), at(from).players, seed, first, count, out);
    }

    void moments(const Rules& rules, int players, std::int64_t rollouts, std::uint64_t seed, std::int64_t first,
                 std::int64_t count, const MomentArrays& out) const override {
        write_moments<Tiles>(rules, players, rollouts, seed, first, count, out);
    }

    MatchResult match(const Rules& rules, int players, const Policy* bots, const char* seed, const char* number,
                      MoveSink* moves) const override {
        MatchResult out;
        Dice dice[MOST_PLAYERS];
        for (int seat = 0; seat < players; seat++) dice[seat] = bot_dice(seed, number, seat);
        const Digest server = named("simulate", seed, number);
        S state;
        Seats start{};
        bool latched = false;
        for (int starter = -1;;) {
            Stream stream = round_stream(server, ++out.rounds, players);
            fair_deal(state, rules, players, stream, starter);
            for (int seat = 0; seat < players; seat++) state.total[seat] = start[seat];
            state.latched = latched;
            play_round(state, rules, bots, dice, out, moves);
            const int won = state.winners(rules, start.data());
            for (int seat = 0; seat < players; seat++) {
                start[seat] = state.total[seat];
                // A series without points counts the rounds won.
                if (!rules.scoring && rules.target) start[seat] += won >> seat & 1;
            }
            latched = !rules.target || state.latched;
            for (int seat = 0; seat < players; seat++) latched = latched || rules.reached(start[seat]);
            const int leaders = !rules.target && rules.wins_by_ending ? won : highest(start, players);
            if (latched && !(rules.extra_round && (leaders & (leaders - 1)))) {
                out.scores = start;
                out.winners = std::uint8_t(leaders);
                return out;
            }
            starter = next_starter(rules, state.starter, won, players);
        }
    }

    void sample(void* state, const WorldPlan& plan, int pool_size, std::uint64_t* dice) const override {
        Dice own{*dice};
        sample_world(at(state), plan, pool_size, own);
        *dice = own.state;
    }

    int search(const void* state, const Rules& rules, const WorldSource& source, const SearchLimit& limit,
               Candidate* out) const override {
        if (plays_as_classic(rules)) return Search<Tiles, true>(at(state), rules, source, limit).run(out);
        return Search<Tiles, false>(at(state), rules, source, limit).run(out);
    }

    void batch_deal(void* state, const Rules& rules, int players, std::uint64_t seed,
                    std::int64_t number) const override {
        Dice dice = Dice::numbered(seed, std::uint64_t(number));
        S& game = at(state);
        deal(game, rules, rules.racks[players], players, dice);
        shuffle_pool(game, dice);
    }
    bool batch_apply(void* state, const Rules& rules, std::int32_t action) const override {
        S& game = at(state);
        Move moves[S::MOST_MOVES];
        const int count = game.legal(rules, moves);
        for (int i = 0; i < count; i++)
            if (code(game, moves[i]) == action) {
                game.apply(moves[i], rules);
                return true;
            }
        return false;
    }
    void batch_look(const void* state, const Rules& rules, std::int64_t game, const BatchArrays& out) const override {
        const S& here = at(state);
        Move moves[S::MOST_MOVES];
        const int count = here.legal(rules, moves);
        std::int32_t* actions = out.actions + game * S::MOST_MOVES;
        for (int i = 0; i < count; i++) actions[i] = code(here, moves[i]);
        for (int i = count; i < S::MOST_MOVES; i++) actions[i] = -1;
        out.action_count[game] = count;
        for (int i = 0; i < S::VERTICES; i++) out.numbers[game * S::VERTICES + i] = here.vertex[i] & 7;
        for (int i = 0; i < Tiles; i++) out.rack[game * Tiles + TABLES<Tiles>.order[i]] = here.rack[here.turn].has(i);
        for (int seat = 0; seat < MOST_PLAYERS; seat++) {
            out.sizes[game * 7 + seat] = here.rack[seat].count();
            std::int32_t& total = out.totals[game * MOST_PLAYERS + seat];
            out.rewards[game * MOST_PLAYERS + seat] = here.total[seat] - total;
            total = here.total[seat];
        }
        out.sizes[game * 7 + MOST_PLAYERS] = here.pool_size();
        out.turn[game] = here.turn;
        out.done[game] = here.over();
    }

   private:
    static void rounds(Policy policy, const Rules& rules, const S* from, int players, std::uint64_t seed,
                       std::int64_t first, std::int64_t count, const RoundResults& out) {
        with_policy(policy, [&]<class P>(P) {
            if (plays_as_classic(rules))
                play_rounds<P, true, Tiles>(rules, from, players, seed, first, count, out);
            else
                play_rounds<P, false, Tiles>(rules, from, players, seed, first, count, out);
        });
    }

    static bool find(const S& state, const Rules& rules, const PlainMove& wanted, Move& found) {
        Move moves[S::MOST_MOVES];
        const int count = state.legal(rules, moves);
        const Atlas<Tiles> atlas(state);
        for (int i = 0; i < count; i++)
            if (plain_move(state, moves[i], atlas) == wanted) {
                found = moves[i];
                return true;
            }
        return false;
    }

    static std::uint64_t count_tree(const S& state, const Rules& rules, int depth) {
        Move moves[S::MOST_MOVES];
        const int count = state.legal(rules, moves);
        if (depth == 1) return std::uint64_t(count);
        std::uint64_t sum = 0;
        for (int i = 0; i < count; i++) {
            S after = state;
            after.apply(moves[i], rules);
            sum += count_tree(after, rules, depth - 1);
        }
        return sum;
    }

    // One number for a move that means the same in every state of a game.
    static std::int32_t code(const S& state, const Move& move) {
        if (move.kind != Kind::PLACE) return 1 << 24 | int(move.kind);
        const int cell = state.laid ? S::cell_index(cell_of(state.spot[move.slot])) : 0;
        return TABLES<Tiles>.order[move.tile] << 16 | move.turn << 14 | cell;
    }

    static void play_round(S& state, const Rules& rules, const Policy* bots, Dice* dice, MatchResult& out,
                           MoveSink* sink) {
        Move moves[S::MOST_MOVES];
        while (!state.over()) {
            const int seat = state.turn;
            Move move;
            if (bots[seat] == Policy::GREEDY) {
                move = MostPoints::choose(state, rules, dice[seat]);
            } else {
                const int count = state.legal(rules, moves);
                move = moves[dice[seat].below(std::uint32_t(count))];
            }
            if (sink) sink->add(out.rounds, plain_move(state, move, Atlas<Tiles>(state)));
            const Bonus made = state.apply(move, rules);
            out.turns += move.kind != Kind::DRAW || rules.draw_ends_turn;
            if (made != Bonus::NONE) (made == Bonus::BRIDGE ? out.bridges : out.hexagons)[seat]++;
        }
    }

    static int highest(const Seats& totals, int players) {
        std::int32_t best = totals[0];
        for (int seat = 1; seat < players; seat++) best = best > totals[seat] ? best : totals[seat];
        int bits = 0;
        for (int seat = 0; seat < players; seat++) bits |= (totals[seat] == best) << seat;
        return bits;
    }

    static int next_starter(const Rules& rules, int last, int won, int players) {
        if (rules.next_starter == NextStarter::SET_UP) return -1;
        int seat = (last + 1) % players;
        // Of several winners, the first to play after the last starter, who comes last.
        if (rules.next_starter == NextStarter::ROUND_WINNER)
            while (!(won >> seat & 1)) seat = (seat + 1) % players;
        return seat;
    }
};

const Engine& engine(int tiles) {
    static const EngineOf<56> small;
    static const EngineOf<76> large;
    if (tiles == 56) return small;
    return large;
}

}  // namespace triomino::TRIOMINO_ARCH
