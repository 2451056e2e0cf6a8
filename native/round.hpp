// One round with its history, and the rounds of a match: what triomino.game and triomino.match are in
// Python. The position itself, and with it every rule, is in the engine.
#pragma once
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "board.hpp"
#include "engine.hpp"
#include "ledger.hpp"

namespace triomino {

// Memory for the states of an engine.
class StateMemory {
   public:
    explicit StateMemory(const Engine& engine)
        : size_(engine.state_size()), memory_(::operator new(size_, std::align_val_t{64})) {}
    StateMemory(const StateMemory& other) : size_(other.size_), memory_(::operator new(size_, std::align_val_t{64})) {
        std::memcpy(memory_.get(), other.memory_.get(), size_);
    }
    StateMemory(StateMemory&&) = default;
    void* get() { return memory_.get(); }
    const void* get() const { return memory_.get(); }

   private:
    struct Delete {
        void operator()(void* memory) const { ::operator delete(memory, std::align_val_t{64}); }
    };
    std::size_t size_;
    std::unique_ptr<void, Delete> memory_;
};

enum class MoveKind : std::uint8_t { PLACE, DRAW, KEEP, END, PASS };  // PlainMove::kind

// One move and everything it did.
struct Ply {
    int seat = 0;
    PlainMove move;
    int tile = -1;  // the tile drawn
    std::vector<Score> scores;
    bool passes_on = true;

    MoveKind kind() const { return MoveKind(move.kind); }
};

struct RoundEnd {
    EndReason reason = EndReason::NONE;
    int seats = 0;
    std::vector<Score> scores;
};

// A legal move with what it scores on its own.
struct Choice {
    PlainMove move;
    int points = 0;
    Bonus bonus = Bonus::NONE;  // NONE where the rules keep no points
};

class Round {
   public:
    Round(const Rules& rules, int players, const Dealt& dealt, const Ledger& ledger);

    std::vector<PlainMove> legal() const;
    std::vector<Choice> choices() const;
    // Why a move cannot be played now, or NONE.
    Why why_not(const PlainMove& move) const;
    // Play a move; returns why it is refused, or NONE.
    Why play(const PlainMove& move);
    // Take back the last moves; returns false if there are fewer.
    bool undo(int count);
    // End the match without a settlement; returns false if the round is over.
    bool abandon(int gave_up);

    bool over() const { return end_.reason != EndReason::NONE; }
    const Rules& rules() const { return rules_; }
    const Engine& engine() const { return *engine_; }
    const void* state() const { return state_.get(); }
    int players() const { return players_; }
    const Dealt& dealt() const { return dealt_; }
    const std::vector<Ply>& plies() const { return plies_; }
    const RoundEnd& end() const { return end_; }
    const Ledger& ledger() const { return ledger_; }
    const Ledger& start_ledger() const { return start_ledger_; }
    int turn() const { return turn_; }
    // In the order the tiles came.
    const std::vector<int>& rack(int seat) const { return racks_[std::size_t(seat)]; }
    int pool_size() const { return dealt_.pool.count - next_; }
    int pool_tile(int number) const { return dealt_.pool.tile[std::size_t(next_ + number)]; }
    // How many tiles were drawn in this turn.
    int draws() const { return draws_; }
    int laid() const { return int(board_.size()); }
    const std::vector<PlainMove>& board() const { return board_; }
    // The tiles that fitted when so many tiles lay on the board.
    const TileBits& playable(int laid) const { return playable_[std::size_t(laid)]; }
    // The current position.
    Position position() const;

   private:
    void rewind();
    Why why_not_other(MoveKind kind) const;
    Why why_not_place(const PlainMove& place) const;

    Rules rules_;
    const Engine* engine_;
    int players_;
    Dealt dealt_;
    Ledger start_ledger_, ledger_;
    StateMemory state_;
    std::vector<std::vector<int>> racks_;
    std::vector<PlainMove> board_;
    std::vector<TileBits> playable_;
    std::vector<Ply> plies_;
    RoundEnd end_;
    int turn_ = 0, next_ = 0, draws_ = 0;
};

// The seeds of the deals of fair/1.
struct MatchSeeds {
    std::array<std::uint8_t, 32> server{};
    std::vector<char> players;  // joined by commas
};

class Match {
   public:
    Match(const Rules& rules, int players, const MatchSeeds& seeds);
    // With a deal for every round; there is at least one, and check_deal accepts each.
    Match(const Rules& rules, int players, std::vector<Dealt> deals);

    Round& game() { return rounds_.back(); }
    const Round& game() const { return rounds_.back(); }
    const std::vector<Round>& rounds() const { return rounds_; }
    const Rules& rules() const { return rules_; }
    int players() const { return players_; }
    // Deal the next round; returns false if the match is over, the round is not, or no deal is left.
    bool next_round();

   private:
    Dealt deal(int round, int starter) const;

    Rules rules_;
    int players_;
    MatchSeeds seeds_;
    std::vector<Dealt> deals_;  // empty: by the seeds
    std::vector<Round> rounds_;
};

// Why a round cannot begin so, or nullptr.
const char* check_deal(const Rules& rules, int players, const Dealt& dealt);

}  // namespace triomino
