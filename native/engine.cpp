// One engine for each of the two full tile sets. This file is compiled once for every instruction set,
// each time in its own namespace. Inline library functions are not: the linker keeps the first copy,
// which is the portable one, so hot code does without library containers.
#include "engine.hpp"

#include "contest.hpp"
#include "convert.hpp"
#include "fair.hpp"
#include "playout.hpp"
#include "search.hpp"
#include "training.hpp"
#include "worlds.hpp"

#define TRIOMINO_TEXT_(name) #name
#define TRIOMINO_TEXT(name) TRIOMINO_TEXT_(name)

namespace triomino::TRIOMINO_ARCH {

// The build for the page leaves out what only Python asks for: a third of its size.
#if defined(TRIOMINO_PAGE)
inline constexpr bool IS_WHOLE = false;
#else
inline constexpr bool IS_WHOLE = true;
#endif

template <int Tiles>
class EngineOf final : public Engine {
    using S = State<Tiles>;
    static_assert(S::MOST_MOVES <= MOST_MOVES);
    static const S& at(const void* state) { return *static_cast<const S*>(state); }
    static S& at(void* state) { return *static_cast<S*>(state); }

   public:
    const char* name() const override { return TRIOMINO_TEXT(TRIOMINO_ARCH); }
    std::size_t state_size() const override { return sizeof(S); }
    int most_moves() const override { return S::MOST_MOVES; }

    const char* load(void* state, const Rules& rules, const Position& position) const override {
        return load_state(at(state), rules, position);
    }
    void dump(const void* state, Position& out) const override { dump_state(at(state), out); }

    int legal(const void* state, const Rules& rules, PlainMove* out) const override {
        Move moves[S::MOST_MOVES];
        const int count = at(state).legal(rules, moves);
        const Coordinates<Tiles> coordinates(at(state));
        for (int i = 0; i < count; i++) out[i] = plain_move(at(state), moves[i], coordinates);
        return count;
    }
    bool apply(void* state, const Rules& rules, const PlainMove& move, int* bonus) const override {
        Move found;
        if (!find(at(state), rules, move, found)) return false;
        *bonus = int(at(state).apply(found, rules));
        return true;
    }
    bool play(void* state, const Rules& rules, const PlainMove& move, ScoreList& scores) const override {
        Move found;
        if (!find(at(state), rules, move, found)) return false;
        at(state).apply(found, rules, [&](int seat, Reason reason, int points, bool settles) {
            (settles ? scores.settlement : scores.move).push_back({seat, reason, points});
        });
        return true;
    }
    int points(const void* state, const Rules& rules, const PlainMove& move) const override {
        Move found;
        return find(at(state), rules, move, found) ? at(state).points(found, rules) : 0;
    }
    Bonus bonus(const void* state, const Rules& rules, const PlainMove& move) const override {
        Move found;
        if (!find(at(state), rules, move, found) || found.kind != Kind::PLACE || !at(state).laid) return Bonus::NONE;
        return at(state).bonus(found.slot, rules);
    }
    TileBits playable(const void* state) const override {
        Mask<2> tiles;
        at(state).playable().each([&](int tile) { tiles.add(TABLES<Tiles>.public_index[tile]); });
        return {tiles.word[0], tiles.word[1]};
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

    void training_samples(const Rules& rules, int players, const TrainingPlan& plan, std::uint64_t seed,
                          std::int64_t first, std::int64_t count, const TrainingArrays& out) const override {
        if constexpr (IS_WHOLE) {
            SelfPlay<Tiles> table(rules, players, plan);
            for (std::int64_t i = 0; i < count; i++) {
                Dice dice = Dice::numbered(seed, std::uint64_t(first + i));
                table.play(dice, i * SAMPLES_PER_ROUND, out);
            }
        }
    }

    void contest(const Rules& rules, int players, const PlayerSpec& one, const PlayerSpec& other, std::uint64_t seed,
                 std::int64_t first, std::int64_t count, const ContestArrays& out) const override {
        if constexpr (IS_WHOLE) {
            Contest<Tiles> games(rules, players, one, other, seed);
            for (std::int64_t i = 0; i < count; i++) games.play(first + i, i, out);
        }
    }

    Judgement judge(const void* state, const Rules& rules, const Network& network, const Seats& start_totals, int seat,
                    bool pending) const override {
        return Evaluator<Tiles>(network, rules, at(state).players, start_totals).judge(at(state), seat, pending);
    }

    MatchResult match(const Rules& rules, int players, const Policy* bots, const char* seed, const char* number,
                      MoveSink* moves) const override {
        MatchResult out;
        Dice dice[MOST_PLAYERS];
        for (int seat = 0; seat < players; seat++) dice[seat] = bot_dice(seed, number, seat);
        const Digest server = named("simulate", seed, number);
        S state;
        Ledger ledger = Ledger::open(rules, players);
        for (;;) {
            Stream stream = round_stream(server, ledger.round, players);
            fair_deal(state, rules, players, stream, ledger.starter);
            state.total = ledger.totals;
            state.latched = ledger.latched();
            out.rounds = ledger.round;
            play_round(state, rules, bots, dice, out, moves);
            const End end{state.ending, state.end_seats, state.winners(rules, ledger.round_totals)};
            ledger = ledger.started_by(state.starter).played(state.total, state.latched, end);
            if (ledger.is_over()) break;
            ledger = ledger.next_round(ledger.next_starter());
        }
        out.scores = ledger.totals;
        out.winners = std::uint8_t(ledger.winners());
        return out;
    }

    void deal(const Rules& rules, int players, const std::array<std::uint8_t, 32>& key, int starter,
              Dealt& out) const override {
        Stream stream(key);
        std::array<std::uint8_t, Tiles> tiles;
        out = Dealt{};
        out.starter = deal_tiles<Tiles>(tiles, rules, players, stream, starter, &out.draws);
        const int size = rules.racks[players], dealt = players * size;
        for (int i = 0; i < deck_of<Tiles>(rules).count; i++)
            (i < dealt ? out.rack[i / size] : out.pool).add(TABLES<Tiles>.public_index[tiles[i]]);
    }

    void sample(void* state, const WorldPlan& plan, int pool_size, std::uint64_t* dice) const override {
        Dice own{*dice};
        sample_world(at(state), plan, pool_size, own);
        *dice = own.state;
    }

    bool infer(void* const* states, int count, const Rules& rules, const WorldPlan& plan, int pool_size,
               const std::vector<Event>& events, std::uint64_t* dice) const override {
        if constexpr (IS_WHOLE) {
            Dice own{*dice};
            const S base = at(states[0]);
            S world = base;
            sample_world(world, plan, pool_size, own);
            HiddenTiles<Tiles> hidden;
            if (!hidden.start(base, world, rules, events, unused_tiles(world, plan), own)) return false;
            for (int i = 0; i < count; i++) hidden.deal(at(states[i]), own);
            *dice = own.state;
        }
        return IS_WHOLE;
    }

    int search(const void* state, const Rules& rules, const WorldSource& source, const SearchLimit& limit,
               Candidate* out) const override {
        if (places_as_classic(rules)) return Search<Tiles, true>(at(state), rules, source, limit).run(out);
        return Search<Tiles, false>(at(state), rules, source, limit).run(out);
    }

    Solution solve(const void* state, const Rules& rules, int win_weight, std::int64_t nodes) const override {
        if (!Endgame<Tiles>::applies(at(state), rules)) return {};
        Endgame<Tiles> endgame(rules, at(state).turn, nodes, win_weight);
        const auto found = endgame.solve(at(state));
        return {!endgame.gave_up(), found.margin, found.win, nodes - endgame.nodes_left()};
    }

   private:
    static void rounds(Policy policy, const Rules& rules, const S* from, int players, std::uint64_t seed,
                       std::int64_t first, std::int64_t count, const RoundResults& out) {
        const auto play = [&]<class P>(P) {
            if (P::PLACES_IF_ABLE ? places_as_classic(rules) : plays_as_classic(rules))
                play_rounds<P, true, Tiles>(rules, from, players, seed, first, count, out);
            else
                play_rounds<P, false, Tiles>(rules, from, players, seed, first, count, out);
        };
        if constexpr (IS_WHOLE)
            with_policy(policy, play);
        else
            play(MostPoints{});  // for reviews
    }

    static bool find(const S& state, const Rules& rules, const PlainMove& wanted, Move& found) {
        Move moves[S::MOST_MOVES];
        const int count = state.legal(rules, moves);
        const Coordinates<Tiles> coordinates(state);
        for (int i = 0; i < count; i++)
            if (plain_move(state, moves[i], coordinates) == wanted) {
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
            if (sink) sink->add(out.rounds, plain_move(state, move, Coordinates<Tiles>(state)));
            const Bonus made = state.apply(move, rules);
            out.turns += move.kind != Kind::DRAW || rules.draw_ends_turn;
            if (made != Bonus::NONE) (made == Bonus::BRIDGE ? out.bridges : out.hexagons)[seat]++;
        }
    }
};

const Engine& engine(int tiles) {
    static const EngineOf<56> without_mirror_images;
    static const EngineOf<76> with_mirror_images;
    if (tile_set(tiles)->mirrored) return with_mirror_images;
    return without_mirror_images;
}

}  // namespace triomino::TRIOMINO_ARCH
