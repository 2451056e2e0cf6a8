// What a seat knows about the tiles of the others, and exact samples of them: triomino.worlds. The plan
// made here is what worlds.hpp samples by; where counts of racks do not decide, whole histories are
// sampled instead.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "big.hpp"
#include "round.hpp"

namespace triomino {

// triomino.dice.Rng
class Rng {
   public:
    explicit Rng(std::uint64_t state) : state_(state) {}
    static Rng named(const char* text, std::size_t size);
    std::uint64_t bits();
    std::uint32_t word() { return std::uint32_t(bits() >> 32); }
    int below(int stop);
    std::uint64_t* state() { return &state_; }

   private:
    std::uint64_t state_;
};

// How many slots of each class still hold their tile.
using Counts = std::string;

// Numbers of ways by counts, in the order in which they were found.
class Ways {
   public:
    Big& operator[](const Counts& counts);
    const Big* find(const Counts& counts) const;
    bool empty() const { return keys_.empty(); }
    const std::vector<Counts>& keys() const { return keys_; }
    const Big& at(std::size_t number) const { return values_[number]; }

   private:
    std::vector<Counts> keys_;
    std::vector<Big> values_;
    std::unordered_map<Counts, std::size_t> index_;
};

// A plan that the engine samples by, with the memory it points to.
class OwnedPlan {
   public:
    OwnedPlan() = default;
    OwnedPlan(const OwnedPlan&) = delete;
    WorldPlan plan;
    std::vector<std::vector<std::uint8_t>> left;
    std::vector<std::vector<std::int32_t>> most;
    std::array<std::vector<WorldPlan::Way>, MOST_PLAYERS> way;
};

// The games that a seat may be in.
class Evidence {
   public:
    // The round must not be over and has to outlive this. *rules* may differ from those of the round: the
    // worlds in which the same moves were made under them.
    Evidence(const Round& round, int seat, const Rules& rules);

    // Whether there is such a game.
    bool possible() const { return possible_; }
    // Write the plan; returns false if counts of racks do not decide where the tiles may be.
    bool plan(OwnedPlan& out) const;
    // A game, every consistent deal equally likely, as a position.
    Position sample(Rng& dice) const;
    // The position as the seat knows it: other racks and the pool are empty.
    Position known() const;

   private:
    using Slots = std::vector<int>;  // by slot: its tile, or -1

    struct Class {
        std::vector<int> slots;
        int laid_before = 0;
        TileBits allowed{~std::uint64_t{0}, ~std::uint64_t{0}};
        TileBits gave{};  // by number of the tile that the seat laid
    };
    struct Laid {
        int tile;
        std::vector<int> sources, arrived;
        Ways before;
    };
    struct Hand {
        int seat = 0, first = 0, dealt = 0;  // slots first .. first + dealt - 1 were dealt
        std::vector<Class> classes;
        Ways ways;
        std::vector<Laid> laid;
        std::vector<std::array<int, 2>> lays;  // tile, and the last slot that had arrived by then
        bool learned = true;

        void arrive(int slot, bool alone);
        void holds_none_of(const TileBits& tiles);
        void last_is_in(const TileBits& tiles);
        void lay(int tile);
        void settle(const TileBits& unseen);
        void trace(Counts counts, Rng& dice, Slots& slots) const;
    };
    struct Group {
        std::size_t hand;
        int index;
        TileBits mask;
    };
    struct Bound {
        int place, slots, most;
    };
    // One composition of a rack that can be filled.
    struct Option {
        std::size_t way;  // number among the ways of its hand
        std::vector<Bound> most;
        Big bound, weight;
    };

    void read_history();
    void learn(Hand& hand, MoveKind kind, int laid, int drawn, int pool_size);
    void learn_opening(int seat, int tile);
    void find_options(std::size_t hand);
    int least(const Hand& hand, const std::vector<int>& indices) const;
    bool starts_by_hand() const;
    bool start_is_learned() const;
    bool fill(Rng& dice, Slots& slots) const;
    bool starts_right(const Slots& slots) const;
    const PlainMove* opening() const { return round_.laid() ? &round_.board()[0] : nullptr; }
    Hand* hand_of(int seat);

    const Round& round_;
    int seat_;
    Rules rules_;
    TileBits unseen_{};
    int slots_ = 0;
    std::vector<std::array<int, 2>> draws_;  // seat, and its slot
    std::vector<Hand> hands_;
    std::vector<Group> order_;
    std::vector<std::vector<Option>> options_;  // by hand
    bool possible_ = true;
};

}  // namespace triomino
