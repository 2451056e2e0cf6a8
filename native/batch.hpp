// Many games stepped together, each a row of arrays that are updated in place.
//
// An *action* is a number: 0 draw, 1 keep, 2 end, 3 pass, and 4 + tile * (tiles + 2) + rank for a
// placement. The tile is its index in the set, in ascending order; the rank that of its cell among all open
// cells, row by row from the bottom. For the first tile of a round the rank is its rotation: which corner
// lies at vertex 0.
#pragma once
#include <cstddef>
#include <cstdint>

#include "engine.hpp"

namespace triomino {

inline constexpr int SPECIAL_ACTIONS = 4;
inline constexpr int PLANE_RADIUS = 12, PLANE_SIDE = 2 * PLANE_RADIUS + 1, PLANES = 8;
inline constexpr int CELL_FIELDS = 8;   // x, y, down, three numbers + 1 (0: none yet), bonus, 1 if the cell exists
inline constexpr int EVENT_FIELDS = 6;  // seat, kind, tile, x, y, down; a rotation instead of down for a first tile

enum class AutoReset { NEXT_STEP, SAME_STEP, OFF };

struct BatchOptions {
    Rules rules;
    int players = 2;
    int history = 0;     // events kept; 0: none
    bool match = false;  // games are matches, not rounds
    TileBits tiles{};    // the tiles dealt, as public bits; none: the whole set
    AutoReset auto_reset = AutoReset::NEXT_STEP;
};

// One row per game. Seats are absolute in rewards, turn, winners and events; sizes and totals begin with the
// seat to move and go on clockwise. What was not asked for is nullptr.
struct BatchArrays {
    std::int16_t* actions;       // [most_moves]: the legal actions in ascending order, then -1
    std::int32_t* action_count;  //
    std::uint8_t* mask;          // [actions]: 1 if legal
    std::uint8_t* rack;          // [tiles]: of the seat to move
    std::uint8_t* laid;          // [tiles]: on the board
    std::int32_t* sizes;         // [players + 1]: racks, then the pool
    std::int32_t* totals;        // [players]
    std::int32_t* rewards;       // [players]: change of the totals by the last step
    std::int32_t* final_totals;  // [players]: at the end of the last game, by seat
    std::uint8_t* winners;       // of the last game: bits
    std::uint8_t* turn;
    std::uint8_t* draws;    // in this turn
    std::uint8_t* starter;  //
    std::uint8_t* done;     // whether the last step ended the game
    std::int32_t* rounds;   // of this game, with this one
    std::int32_t* plies;    // moves in this round
    std::int8_t* cells;     // [tiles + 2, CELL_FIELDS]: the open cells by rank
    std::int32_t* cell_count;
    std::uint8_t* planes;   // [PLANE_SIDE, PLANE_SIDE, PLANES]
    std::int32_t* clipped;  // corners and cells of this board outside the planes
    std::int8_t* history;   // [options.history, EVENT_FIELDS]: move number n is in row n % history; -1: none
    std::uint8_t* racks;    // [players, tiles]: every rack
    std::uint8_t* pool;     // [tiles]: in the order it will be drawn, then 255
};

class BatchEngine {
   public:
    virtual std::size_t game_size() const = 0;
    virtual int most_moves() const = 0;
    // Where the board lies in a game's memory: vertices, then twice as many cells.
    virtual int vertices() const = 0;
    virtual std::size_t vertex_offset() const = 0;
    virtual std::size_t cell_offset() const = 0;
    virtual std::size_t state_size() const = 0;

    // *games* is the memory of all games; work is done on games first .. first + count - 1.
    virtual void open(void* games, const BatchOptions& options, const BatchArrays& out, const std::uint64_t* seeds,
                      std::int64_t first, std::int64_t count) const = 0;
    // Deal a game anew, with a seed or, without one, by its own next deal.
    virtual void reset(void* games, const BatchOptions& options, const BatchArrays& out, std::int64_t game,
                       const std::uint64_t* seed) const = 0;
    // Play a legal action in each; -1 leaves a game that is not over as it is. Returns how many rounds were dealt.
    virtual std::int64_t step(void* games, const BatchOptions& options, const BatchArrays& out,
                              const std::int32_t* actions, std::int64_t first, std::int64_t count) const = 0;
    // The actions that a policy would choose; -1 in games that are over.
    virtual void choose(const void* games, const BatchOptions& options, Policy policy, std::uint64_t seed,
                        std::int32_t* actions, std::int64_t first, std::int64_t count) const = 0;
    // Exchange the position of a game with a state of the engine for the same set.
    virtual void load(void* games, const BatchOptions& options, const BatchArrays& out, std::int64_t game,
                      const void* state, const Seats& start_totals) const = 0;
    virtual const void* state(const void* games, std::int64_t game) const = 0;

    // The legal actions of a single state, and playing one of them.
    virtual int actions(const void* state, const Rules& rules, std::int16_t* out) const = 0;
    virtual bool play(void* state, const Rules& rules, int action) const = 0;
    virtual int players(const void* state) const = 0;
    virtual int turn(const void* state) const = 0;
    virtual Seats totals(const void* state) const = 0;
    // Make a tile of the pool, by its public index, the next one drawn.
    virtual bool put_next(void* state, int tile) const = 0;

   protected:
    ~BatchEngine() = default;
};

// The engine of batches for the set with this many tiles.
const BatchEngine& batch_engine(int tiles, bool portable = false);

namespace portable {
const BatchEngine& batch_engine(int tiles);
}
#if defined(TRIOMINO_HAS_V3)
namespace v3 {
const BatchEngine& batch_engine(int tiles);
}
#endif

}  // namespace triomino
