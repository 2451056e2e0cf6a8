// The kernel as the rest of the program sees it: plain data in and out, one engine for the sets with
// mirror images and one for those without, for each instruction set it was built for.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules.hpp"

namespace triomino {

inline constexpr int MOST_TILES = 76;
inline constexpr int MOST_MOVES = 6 * (MOST_TILES + 2) + 4;

// Tiles are numbered as triomino.tile does: by their place among the 76 in ascending order.
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

// A moment of a round. Tiles drawn in the running turn are on the rack too.
struct Position {
    int players = 2, turn = 0, starter = 0, idle = 0, ending = 0, end_seats = 0;
    bool latched = false;
    int laid = 0;
    std::array<PlainMove, MOST_TILES> board{};
    std::array<TileList, MOST_PLAYERS> rack{};
    TileList pool, drawn;
    Seats total{};
};

enum class Policy { RANDOM, GREEDY, PLACE };

// What a round came to; arrays have one entry for each round, or for each round and seat.
struct RoundResults {
    std::int32_t* scores;
    std::int32_t* turns;
    std::uint8_t* bridges;
    std::uint8_t* hexagons;
    std::uint8_t* reason;
    std::uint8_t* starter;
    std::uint8_t* winners;  // bits
};

// Moments of self-played rounds, MOMENTS entries for each: how much more the one to move has of what
// Prospects looks at than the others (in the mean), by how much its margin grew until the end, and
// how far the round had come.
inline constexpr int MOMENTS = 64, MOMENT_FEATURES = 6;
inline constexpr std::uint8_t NO_MOMENT = 255;
struct MomentArrays {
    float* features;      // [count, MOMENTS, MOMENT_FEATURES]
    float* margin;        // [count, MOMENTS]
    std::uint8_t* stage;  // likewise; NO_MOMENT where the round was shorter
};

struct MatchResult {
    Seats scores{};
    std::uint8_t winners = 0;
    std::int32_t rounds = 0, turns = 0;
    Seats bridges{}, hexagons{};
};

// Receives every move of a match, as they are played.
struct MoveSink {
    virtual void add(int round, const PlainMove& move) = 0;

   protected:
    ~MoveSink() = default;
};

// Where the hidden tiles may be: what triomino.worlds works out from a view, made small.
struct WorldGroup {
    int seat = 0;
    std::array<std::uint64_t, 2> allowed{};  // tiles, as bits
};
struct WorldPlan {
    static constexpr int MOST_GROUPS = 256;
    int groups = 0;
    std::array<WorldGroup, MOST_GROUPS> group{};
    // For each hidden seat, the ways it can have come to its rack: cumulated chances out of 2**64,
    // and for each group how many tiles are left of it and the most ways to fill the first of them.
    struct Way {
        std::uint64_t up_to;
        const std::uint8_t* left;    // by group
        const std::int32_t* most;    // by group
    };
    int seats = 0;
    std::array<int, MOST_PLAYERS> ways{};
    std::array<const Way*, MOST_PLAYERS> way{};
    std::array<std::uint64_t, 2> unseen{};
};

// Where the worlds of a search come from: dealt by a plan, or by another one that believes more in
// so many of 256 cases; without a plan they are given.
struct WorldSource {
    const WorldPlan* plan = nullptr;
    const WorldPlan* belief = nullptr;
    int trust = 0;
    int pool_size = 0;
    const void* const* worlds = nullptr;
    std::int64_t count = 0;
};

// What somebody did although other tiles may have brought more: a placement by a seat that has
// drawn so many tiles since, when so many tiles lay.
struct Clue {
    int seat, laid, drawn_since;
};

// How long a search may think: so many rollouts, or so many nanoseconds.
struct SearchLimit {
    std::int64_t rollouts = 0, nanoseconds = 0;
    std::uint64_t seed = 0;
    int win_weight = 0;        // points that a round won is worth beside its margin
    std::int64_t endgame_nodes = 0;  // how much to look at for an exact ending between two
    int endgame_pool = -1;     // with at most so many tiles in the pool every world is solved
    int keep = -1;             // a legal move that is never left out early
    bool places_only = false;  // who can place does not think of drawing
    int plies = 0;             // how far a rollout goes after the candidate; 0 is to the end
    int foresight = 0;         // after so many turns more a round is judged, where that was learned
    int candour = 0;           // how likely a point is forgone, of 256; 0 is not to think of it
    Seats start_totals{};      // what everybody had before the round
    std::vector<Clue> clues;
};

// What a search found of one legal move: sums over the worlds it was tried in.
struct Candidate {
    int index;  // among the legal moves
    std::int64_t worlds, win, margin, margin_squared;  // win: 60 for a round won alone
    bool exact;                                        // solved, not sampled
};

// Batches: what a learner sees of a game, and what it may do.
struct BatchArrays {
    std::int32_t* actions;      // [games, most_moves]: tile << 16 | turn << 14 | cell, or 1 << 24 | kind
    std::int32_t* action_count; // [games]
    std::uint8_t* numbers;      // [games, vertices]: number + 1
    std::uint8_t* rack;         // [games, tiles]: the tiles of the one to move
    std::int32_t* sizes;        // [games, 6 + 1]: racks and pool
    std::int32_t* totals;       // [games, 6]
    std::int32_t* rewards;      // [games, 6]: what the last step changed
    std::uint8_t* turn;         // [games]
    std::uint8_t* done;         // [games]
};

class Engine {
   public:
    virtual const char* name() const = 0;
    virtual std::size_t state_size() const = 0;
    virtual int most_moves() const = 0;
    virtual int vertices() const = 0;

    // Why a position cannot be held, or nullptr if it is.
    virtual const char* load(void* state, const Rules& rules, const Position& position) const = 0;
    virtual void dump(const void* state, Position& out) const = 0;
    virtual int legal(const void* state, const Rules& rules, PlainMove* out) const = 0;
    // Plays one of the legal moves; false if it is none.
    virtual bool apply(void* state, const Rules& rules, const PlainMove& move, int* bonus) const = 0;
    virtual int points(const void* state, const Rules& rules, const PlainMove& move) const = 0;
    virtual std::uint64_t perft(const void* state, const Rules& rules, int depth) const = 0;

    virtual void playouts(const Rules& rules, int players, Policy policy, std::uint64_t seed, std::int64_t first,
                          std::int64_t count, const RoundResults& out) const = 0;
    // From a position, its pool shuffled anew for each round.
    virtual void rollouts(const void* state, const Rules& rules, Policy policy, std::uint64_t seed,
                          std::int64_t first, std::int64_t count, const RoundResults& out) const = 0;
    // By seats that search with so many rollouts and others that are greedy; with 0 all are greedy.
    virtual void moments(const Rules& rules, int players, std::int64_t rollouts, std::uint64_t seed, std::int64_t first,
                         std::int64_t count, const MomentArrays& out) const = 0;
    // A match as triomino.bots.simulate_match plays it.
    virtual MatchResult match(const Rules& rules, int players, const Policy* bots, const char* seed,
                              const char* number, MoveSink* moves) const = 0;

    // Put other hidden tiles into a position, as the plan allows; nobody's own rack changes.
    virtual void sample(void* state, const WorldPlan& plan, int pool_size, std::uint64_t* dice) const = 0;

    // The moves worth thinking about, the best first; says how many.
    virtual int search(const void* state, const Rules& rules, const WorldSource& source, const SearchLimit& limit,
                       Candidate* out) const = 0;

    virtual void batch_deal(void* state, const Rules& rules, int players, std::uint64_t seed,
                            std::int64_t number) const = 0;
    virtual bool batch_apply(void* state, const Rules& rules, std::int32_t action) const = 0;
    virtual void batch_look(const void* state, const Rules& rules, std::int64_t game, const BatchArrays& out) const = 0;

   protected:
    ~Engine() = default;
};

// The engine for a set of so many tiles: the fastest this machine can run, or the one that runs
// everywhere.
const Engine& engine(int tiles, bool portable = false);

namespace portable {
const Engine& engine(int tiles);
}
#if defined(TRIOMINO_HAS_V3)
namespace v3 {
const Engine& engine(int tiles);
}
#endif

}  // namespace triomino
