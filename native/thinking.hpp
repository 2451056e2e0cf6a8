// What a seat thinks of its moves: the search of triomino.kernel.search, the bots by level, and the facts
// of triomino.analysis about a move. Only what the seat may know is used.
#pragma once
#include <optional>
#include <vector>

#include "evidence.hpp"

namespace triomino {

// The budget and the settings of a search: triomino.kernel.Effort.
struct Effort {
    std::int64_t rollouts = 0;  // 0: *nanoseconds* counts
    std::int64_t nanoseconds = 10'000'000;
    bool may_draw = true;
    int forced_draw_prior = 192;
    int win_weight = 100;
    std::int64_t endgame_nodes = 200'000;
    int endgame_pool = 4;
    bool judges = false;
    int horizon = -1;  // -1: one more than there are players
    bool greedy_rivals = true;
    int prior_worlds = 0;
    int plies = 0;
};

// The network that judges positions; returns why the bytes are none, or nullptr.
const char* set_network(const std::uint8_t* bytes, std::size_t size);

const char* check_effort(const Effort& effort);

// Samples what a seat does not know.
class Sampler {
   public:
    Sampler(const Round& round, int seat);
    // Whether the engine samples, by a plan.
    bool is_planned() const { return planned_; }
    StateMemory sample(Rng& dice) const;
    const OwnedPlan& plan() const { return plan_; }
    const StateMemory& known() const { return known_; }

   private:
    const Round& round_;
    Evidence evidence_;
    OwnedPlan plan_;
    bool planned_ = false;
    StateMemory known_;
};

// The index of the candidate that stands for a legal move, -1 if there is none: an opening tile is one in
// its first rotation only.
int candidate_of(const Round& round, const std::vector<PlainMove>& moves, const PlainMove& wanted);

// The candidates of the seat to move, best first; *keep*, if any, is never eliminated. With *only*, just
// these.
std::vector<Candidate> search(const Round& round, const Effort& effort, Rng& dice, const PlainMove* keep = nullptr,
                              const std::vector<PlainMove>& only = {});

enum class Level { RANDOM, BEGINNER, EASY, GREEDY, MEDIUM, HARD, EXPERT, CHAMPION };

// The move of a bot for the seat to move. A positive *rollouts* or else *nanoseconds* replaces its own
// budget.
PlainMove choose_move(const Round& round, Level level, Rng& dice, std::int64_t rollouts, std::int64_t nanoseconds);

// The settings of a level that searches.
Effort effort_of(Level level);

// A reason for or against a move.
struct Fact {
    enum class Kind { POINTS, BONUS, OUT, DRAW, DANGER, STUCK, KEEPS, FITS, HOPES };
    Kind kind;
    int points = 0;
    int part = 1, whole = 1;  // its chance
    Bonus bonus = Bonus::NONE;
    int count = 0, number = -1;  // so many tiles are kept that fit at a number
};

// The facts about a legal move of the seat to move, the most important first.
std::vector<Fact> facts(const Round& round, const PlainMove& move, Rng& dice);

}  // namespace triomino
