// A player of contests and of self-play, in a round whose tiles are all known to the caller; it looks
// only at those that its seat may know.
#pragma once
#include <optional>

#include "playout.hpp"
#include "search.hpp"

namespace triomino::TRIOMINO_ARCH {

template <int Tiles>
class Player {
   public:
    using S = State<Tiles>;

    Player(const PlayerSpec& spec, const Rules& rules, int players, const Seats& start_totals)
        : spec_(spec), rules_(rules), limit_(spec.limit) {
        limit_.start_totals = start_totals;
        if (spec.kind == PlayerSpec::Kind::NETWORK)
            one_ply_.emplace(*spec.limit.network, rules, players, limit_.start_totals,
                             worth_of_winning(rules, limit_.win_weight));
    }
    Player(const Player&) = delete;

    // *events* are the moves of the round so far.
    Move choose(const S& state, Dice& dice, const std::vector<Event>& events = {}) {
        if (one_ply_) return one_ply_->choose(state).move;
        if (spec_.kind == PlayerSpec::Kind::SEARCH) return search(state, dice, events);
        Move move;
        with_policy(spec_.policy, [&]<class P>(P) { move = P::choose(state, rules_, dice); });
        return move;
    }

   private:
    Move search(const S& state, Dice& dice, const std::vector<Event>& events) {
        Move moves[S::MOST_MOVES];
        if (state.legal(rules_, moves) == 1) return moves[0];
        limit_.seed = dice.bits();
        limit_.events = events;
        Candidate found[S::MOST_MOVES];
        const void* const truth = &state;
        WorldSource hidden;
        if (limit_.sees_all || limit_.sees_racks) hidden.worlds = &truth, hidden.count = 1;
        if (places_as_classic(rules_))
            Search<Tiles, true>(state, rules_, hidden, limit_).run(found);
        else
            Search<Tiles, false>(state, rules_, hidden, limit_).run(found);
        return moves[found[0].index];
    }

    const PlayerSpec& spec_;
    const Rules& rules_;
    SearchLimit limit_;
    std::optional<OnePly<Tiles>> one_ply_;
};

}  // namespace triomino::TRIOMINO_ARCH
