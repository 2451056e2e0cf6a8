// The kernel's interface: plain data in and out. For each instruction set there is one engine for tile
// sets with mirror images and one for sets without.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ledger.hpp"
#include "network.hpp"
#include "rules.hpp"

namespace triomino {

inline constexpr int MOST_TILES = 76;
inline constexpr int MOST_MOVES = 6 * (MOST_TILES + 2) + 4;

// A move in public terms. A tile is its index among all 76 tiles in ascending order, as in triomino.tile.
struct PlainMove {
    std::uint8_t kind = 0;  // place, draw, keep, end, pass
    std::uint8_t tile = 0;
    std::uint8_t down = 0;
    std::array<std::uint8_t, 3> numbers{};
    std::int32_t x = 0, y = 0;
    friend bool operator==(const PlainMove&, const PlainMove&) = default;
};

struct TileList {
    int count = 0;
    std::array<std::uint8_t, MOST_TILES> tile{};
    void add(int which) { tile[count++] = std::uint8_t(which); }
};

// A position within a round. Tiles drawn in the current turn are also on the rack.
struct Position {
    int players = 2, turn = 0, starter = 0, idle = 0, ending = 0, end_seats = 0;
    bool latched = false;
    int laid = 0;
    std::array<PlainMove, MOST_TILES> board{};
    std::array<TileList, MOST_PLAYERS> rack{};
    TileList pool, drawn;
    Seats total{};
};

// A tile that a seat drew, for all to see, in the draw for the start.
struct StartDraw {
    int seat;
    std::uint8_t tile;
};

// How a round begins: racks and pool in the order they were dealt.
struct Dealt {
    std::array<TileList, MOST_PLAYERS> rack{};
    TileList pool;
    int starter = 0;
    std::vector<StartDraw> draws;
};

// What a move scored, and what the end of the round did.
struct ScoreList {
    std::vector<Score> move, settlement;
};

// A set of tiles, as bits.
using TileBits = std::array<std::uint64_t, 2>;

enum class Policy { RANDOM, GREEDY, PLACE, HOARDER, BLOCKER };

// Results of rounds: arrays with one entry per round, or per round and seat.
struct RoundResults {
    std::int32_t* scores;
    std::int32_t* turns;
    std::uint8_t* bridges;
    std::uint8_t* hexagons;
    std::uint8_t* reason;
    std::uint8_t* starter;
    std::uint8_t* winners;  // bits
};

struct MatchResult {
    Seats scores{};
    std::uint8_t winners = 0;
    std::int32_t rounds = 0, turns = 0;
    Seats bridges{}, hexagons{};
};

// Receives the moves of a match in the order they are played.
struct MoveSink {
    virtual void add(int round, const PlainMove& move) = 0;

   protected:
    ~MoveSink() = default;
};

// Where the hidden tiles may be: the sampling plan of triomino.worlds in compact form.
struct WorldGroup {
    int seat = 0;
    std::array<std::uint64_t, 2> allowed{};  // tiles, as bits
};
struct WorldPlan {
    static constexpr int MOST_GROUPS = 256;
    int groups = 0;
    std::array<WorldGroup, MOST_GROUPS> group{};
    // For each hidden seat, the ways its rack can have come about: their cumulative probability as a
    // 64-bit bound and, by group, how many of its tiles are still on the rack and an upper bound for
    // the number of tiles to choose the first of them from.
    struct Way {
        std::uint64_t up_to;
        const std::uint8_t* left;  // by group
        const std::int32_t* most;  // by group
    };
    int seats = 0;
    std::array<int, MOST_PLAYERS> ways{};
    std::array<const Way*, MOST_PLAYERS> way{};
    std::array<std::uint64_t, 2> unseen{};
};

// Where the worlds of a search come from: dealt by *plan* or, with probability forced_draw_prior / 256,
// by the stricter *belief*; without a plan, *worlds* is used in turn.
struct WorldSource {
    const WorldPlan* plan = nullptr;
    const WorldPlan* belief = nullptr;
    int forced_draw_prior = 0;
    int pool_size = 0;
    const void* const* worlds = nullptr;
    std::int64_t count = 0;
};

// A move of the round so far, as everybody saw it; placements are in the order of the board.
struct Event {
    int seat, kind;
};

inline constexpr int WIN_UNIT = 60 << 10;  // a round won alone; shared evenly among up to six

// The budget of a search, in rollouts or else in nanoseconds, and its settings.
struct SearchLimit {
    std::int64_t rollouts = 0, nanoseconds = 0;
    std::uint64_t seed = 0;
    int win_weight = 0;                // points that winning the round is worth, on top of its margin
    std::int64_t endgame_nodes = 0;    // budget of the exact solver for two players
    int endgame_pool = -1;             // solve each world exactly with at most this many tiles in the pool
    int keep = -1;                     // index of a legal move that is never eliminated early
    std::vector<int> only;             // indices of the legal moves to compare; empty: all
    bool places_only = false;          // never consider drawing while able to place
    int plies = 0;                     // length of a rollout after the candidate; 0: to the end of the round
    const Network* network = nullptr;  // judges positions; without it rounds are played to their end
    int horizon = 0;                   // turns after the candidate's own after which the network judges
    int prior_worlds = 0;              // worlds that the network's judgement of a move itself counts as
    bool greedy_rivals = false;        // the other of two is expected to play for points, not as the network would
    bool sees_all = false;             // in contests: knows every tile, to show what luck leaves to play for
    bool sees_racks = false;           // in contests: knows every rack, but not the order of the pool
    Seats start_totals{};              // before the round
    std::vector<Event> events;         // from which the network is told what the others lack
};

// What winning a round is worth, in points, to a player for whom it is worth *win_weight*. In a match points
// are what counts: where a round goes to the player who ended it, it is worth nothing more.
constexpr int worth_of_winning(const Rules& rules, int win_weight) {
    return rules.target && rules.scoring && rules.wins_by_ending ? 0 : win_weight;
}

// The statistics of one legal move: sums over the worlds in which it was tried.
struct Candidate {
    int index;                                         // among the legal moves
    std::int64_t worlds, win, margin, margin_squared;  // in 1/WIN_UNIT and 1/MARGIN_UNIT
    bool exact;                                        // solved, not sampled
};

// The result of best play by both from a position of two in which nothing is hidden.
struct Solution {
    bool solved;         // within the budget
    int margin;          // of the seat to move, with the points so far
    int win;             // of the round, where not points decide it: 1, 0 shared, -1
    std::int64_t nodes;  // visited
};

// A player of contests: a policy, the network's judgement of each move, or a search.
struct PlayerSpec {
    enum class Kind { POLICY, NETWORK, SEARCH };
    Kind kind = Kind::POLICY;
    Policy policy = Policy::GREEDY;
    SearchLimit limit;  // its network and win_weight are those of NETWORK as well
};

// Games between two players, one entry each or, in the second row of comments, one for each of the two.
struct ContestArrays {
    float* won;                 // the share of the win that the first has
    float* margin;              // its score less the mean of the others'
    std::int64_t* nanoseconds;  // [games, 2]: processor time, moves, and moves that took 1.5 times as long as given
    std::int32_t* moves;
    std::int32_t* late;
};

// Samples for the training of a network from rounds that it plays: see training.hpp.
inline constexpr int SAMPLES_PER_ROUND = 16;
struct TrainingArrays {
    std::int16_t* features;  // [rounds, SAMPLES_PER_ROUND, FEATURES]
    std::int16_t* lead;      // [rounds, SAMPLES_PER_ROUND]
    float* margin;           // still to come, in points
    float* win;              // 0 to 1; -1 where the round was too short for a sample
};
struct TrainingPlan {
    const Network* network = nullptr;      // whose rounds are played; without it, those of simple policies
    const PlayerSpec* opponent = nullptr;  // at all seats but one; without it, the network itself for the most part
    int win_weight = 100;
    int mistakes = 10;  // chance in 256 of a random move
    int draws = 32;     // and of a draw on purpose
    int lambda = 180;   // how much, of 256, later results count rather than the network's next judgement
};

class Engine {
   public:
    virtual const char* name() const = 0;
    virtual std::size_t state_size() const = 0;
    virtual int most_moves() const = 0;

    // Load a position; returns why it cannot be held, or nullptr on success.
    virtual const char* load(void* state, const Rules& rules, const Position& position) const = 0;
    virtual void dump(const void* state, Position& out) const = 0;
    virtual int legal(const void* state, const Rules& rules, PlainMove* out) const = 0;
    // Play a move; returns false, changing nothing, if it is not legal.
    virtual bool apply(void* state, const Rules& rules, const PlainMove& move, int* bonus) const = 0;
    // The same, with what it scored and why.
    virtual bool play(void* state, const Rules& rules, const PlainMove& move, ScoreList& scores) const = 0;
    virtual int points(const void* state, const Rules& rules, const PlainMove& move) const = 0;
    // The bonus of a legal move, whether or not the rules keep points.
    virtual Bonus bonus(const void* state, const Rules& rules, const PlainMove& move) const = 0;
    // The tiles that fit somewhere.
    virtual TileBits playable(const void* state) const = 0;
    virtual std::uint64_t perft(const void* state, const Rules& rules, int depth) const = 0;

    virtual void playouts(const Rules& rules, int players, Policy policy, std::uint64_t seed, std::int64_t first,
                          std::int64_t count, const RoundResults& out) const = 0;
    // Like playouts, but from a position, its pool reshuffled for each round.
    virtual void rollouts(const void* state, const Rules& rules, Policy policy, std::uint64_t seed, std::int64_t first,
                          std::int64_t count, const RoundResults& out) const = 0;
    virtual void training_samples(const Rules& rules, int players, const TrainingPlan& plan, std::uint64_t seed,
                                  std::int64_t first, std::int64_t count, const TrainingArrays& out) const = 0;
    // Games *first* to *first + count - 1*: the first player has one seat, each in turn, on the same deal.
    virtual void contest(const Rules& rules, int players, const PlayerSpec& one, const PlayerSpec& other,
                         std::uint64_t seed, std::int64_t first, std::int64_t count,
                         const ContestArrays& out) const = 0;
    // What the network says of a position from the point of view of a seat.
    virtual Judgement judge(const void* state, const Rules& rules, const Network& network, const Seats& start_totals,
                            int seat, bool pending) const = 0;
    // The match that triomino.bots.simulate_match plays, move for move.
    virtual MatchResult match(const Rules& rules, int players, const Policy* bots, const char* seed, const char* number,
                              MoveSink* moves) const = 0;

    // Deal a round from the key of its stream: see triomino.fair. *starter* is -1 if it is to be found.
    virtual void deal(const Rules& rules, int players, const std::array<std::uint8_t, 32>& key, int starter,
                      Dealt& out) const = 0;

    // Deal the hidden racks and the pool of a position anew, as the plan allows.
    virtual void sample(void* state, const WorldPlan& plan, int pool_size, std::uint64_t* dice) const = 0;

    // The same for *count* copies of a position, as the moves so far suggest: see hidden.hpp. Returns false
    // if they are not those of the round.
    virtual bool infer(void* const* states, int count, const Rules& rules, const WorldPlan& plan, int pool_size,
                       const std::vector<Event>& events, std::uint64_t* dice) const = 0;

    // Write the candidates, best first, and return their number.
    virtual int search(const void* state, const Rules& rules, const WorldSource& source, const SearchLimit& limit,
                       Candidate* out) const = 0;

    // Solve an ending of two; *win_weight* is what winning the round is worth where not points decide it.
    virtual Solution solve(const void* state, const Rules& rules, int win_weight, std::int64_t nodes) const = 0;

   protected:
    ~Engine() = default;
};

// The engine for the set with this many tiles: the fastest this CPU can run, or the portable one.
const Engine& engine(int tiles, bool portable = false);

// Whether this CPU runs the engine for AVX2.
bool is_fast();

namespace portable {
const Engine& engine(int tiles);
}
#if defined(TRIOMINO_HAS_V3)
namespace v3 {
const Engine& engine(int tiles);
}
#endif

}  // namespace triomino
