// Samples for the training of a network. Rounds are played by the network's own judgement of each move,
// with some random moves and some simpler players at the table; without a network, by those alone. What a
// sample is to learn is the result of the round, blended with what the network said at the seat's next
// moves: TD(lambda). Before a random move only the judgement of the best move counts, not what came of
// the mistake.
#pragma once
#include <memory>
#include <vector>

#include "player.hpp"

namespace triomino::TRIOMINO_ARCH {

template <int Tiles>
class SelfPlay {
   public:
    using S = State<Tiles>;

    SelfPlay(const Rules& rules, int players, const TrainingPlan& plan)
        : rules_(rules), players_(players), plan_(plan) {
        if (plan.network) one_ply_.emplace(*plan.network, rules, players, nothing_, plan.win_weight);
        if (plan.opponent) opponent_.emplace(*plan.opponent, rules, players, nothing_);
    }

    // Play a round and write its samples from *row* on.
    void play(Dice& dice, std::int64_t row, const TrainingArrays& out) {
        S state;
        deal(state, rules_, deck_of<Tiles>(rules_), rules_.racks[std::size_t(players_)], players_, dice);
        shuffle_pool(state, dice);
        seat_players(dice);
        for (auto& steps : steps_) steps.clear();
        samples_.clear();
        while (!state.over()) {
            const int seat = state.turn;
            const Move move = choose(state, dice);
            const bool draws = move.kind == Kind::DRAW;
            state.apply(move, rules_);
            if (state.over()) break;
            // The point of view of who moved or, once a turn, of anybody.
            const int who = dice.below(2) && !state.draws ? int(dice.below(std::uint32_t(players_))) : seat;
            if (!learner_ || learner_ - 1 == who) remember(state, who, draws && who == seat, row, dice, out);
        }
        finish(state, row, out);
    }

   private:
    // A judgement at a seat's own move, which earlier samples may learn from.
    struct Step {
        Judgement value;
        bool mistake;  // another move was played
    };
    struct Sample {
        int seat;
        std::size_t step;  // of the seat, the first after the sample
        int margin;        // so far, in MARGIN_UNIT
    };
    static constexpr int NETWORK = -1, OPPONENT = -2;
    static constexpr int ALONE = 5;  // of 16 rounds: the network among equal simple players

    void seat_players(Dice& dice) {
        learner_ = opponent_ ? 1 + int(dice.below(std::uint32_t(players_))) : 0;
        if (!learner_ && one_ply_ && dice.below(16) < ALONE) {
            const int others = simple(dice), network = int(dice.below(std::uint32_t(players_)));
            for (int seat = 0; seat < players_; seat++) kind_[seat] = seat == network ? NETWORK : others;
            return;
        }
        for (int seat = 0; seat < players_; seat++) {
            if (learner_) {
                kind_[seat] = seat == learner_ - 1 ? NETWORK : OPPONENT;
                continue;
            }
            kind_[seat] = one_ply_ && dice.below(16) < 13 ? NETWORK : simple(dice);
        }
    }

    static int simple(Dice& dice) {
        constexpr Policy policies[] = {Policy::GREEDY, Policy::GREEDY, Policy::HOARDER, Policy::BLOCKER};
        return int(policies[dice.below(4)]);
    }

    Move choose(const S& state, Dice& dice) {
        const int kind = kind_[state.turn];
        if (kind == OPPONENT) return opponent_->choose(state, dice);
        typename OnePly<Tiles>::Choice best;
        if (kind == NETWORK) {
            best = one_ply_->choose(state);
        } else {
            with_policy(Policy(kind), [&]<class P>(P) { best.move = P::choose(state, rules_, dice); });
        }
        const Move move = explored(state, best.move, dice);
        if (one_ply_) {
            if (kind != NETWORK || best.worth < 0 - (std::int64_t{1} << 59))
                best.value = one_ply_->after(state, best.move);
            steps_[state.turn].push_back({best.value, !(move == best.move)});
        }
        return move;
    }

    // Mostly the best move, sometimes a random one, more often a draw on purpose: what that is worth is
    // learned late otherwise, since players who think little of it never do it.
    Move explored(const S& state, Move best, Dice& dice) const {
        const int chance = int(dice.below(256));
        if (chance < plan_.mistakes) return AnyMove::choose(state, rules_, dice);
        const bool able = state.laid && (state.candidates(rules_) & state.playable()).any();
        if (able && chance < plan_.mistakes + plan_.draws && state.may_draw(rules_, able)) return {Kind::DRAW};
        return best;
    }

    // Keep a sample with a chance that leaves room for all of the round.
    void remember(const S& state, int seat, bool pending, std::int64_t row, Dice& dice, const TrainingArrays& out) {
        std::size_t at = samples_.size();
        seen_ = at ? seen_ + 1 : 1;
        const Sample sample{seat, steps_[seat].size(), margin_of(state, seat)};
        if (at < SAMPLES_PER_ROUND) {
            samples_.push_back(sample);
        } else {
            at = dice.below(std::uint32_t(seen_));
            if (at >= SAMPLES_PER_ROUND) return;
            samples_[at] = sample;
        }
        const auto index = row + std::int64_t(at);
        std::int16_t* const features = out.features + index * FEATURES;
        std::fill_n(features, FEATURES, std::int16_t{0});
        const auto put = [&](int feature, int value) { features[feature] = std::int16_t(value); };
        const Features<Tiles> of(state, rules_, seat, pending);
        of.each(nothing_, put);
        Features<Tiles>::each_rule(rules_, players_, put);
        out.lead[index] = std::int16_t(of.lead(nothing_));
    }

    int margin_of(const S& state, int seat) const {
        int others = 0;
        for (int other = 0; other < players_; other++) others += other == seat ? 0 : state.total[other];
        return (state.total[seat] * (players_ - 1) - others) * MARGIN_UNIT / (players_ - 1);
    }

    void finish(const S& state, std::int64_t row, const TrainingArrays& out) {
        const int winners = state.winners(rules_, nothing_);
        const float lambda = float(plan_.lambda) / 256;
        for (int seat = 0; seat < players_; seat++) {
            float margin = float(margin_of(state, seat));
            float win = winners >> seat & 1 ? 1.0f / float(std::popcount(unsigned(winners))) : 0.0f;
            const auto& steps = steps_[seat];
            for (std::size_t left = steps.size() + 1; left-- > 0;) {
                if (left < steps.size()) {
                    const float keep = steps[left].mistake ? 0 : lambda;
                    margin += (1 - keep) * (float(steps[left].value.margin) - margin);
                    win += (1 - keep) * (float(steps[left].value.win) / CERTAIN - win);
                }
                for (std::size_t k = 0; k < samples_.size(); k++) {
                    if (samples_[k].seat != seat || samples_[k].step != left) continue;
                    out.margin[row + std::int64_t(k)] = (margin - float(samples_[k].margin)) / MARGIN_UNIT;
                    out.win[row + std::int64_t(k)] = win;
                }
            }
        }
        for (std::size_t k = samples_.size(); k < SAMPLES_PER_ROUND; k++) out.win[row + std::int64_t(k)] = -1;
    }

    const Rules& rules_;
    const int players_;
    const TrainingPlan& plan_;
    const Seats nothing_{};
    std::optional<OnePly<Tiles>> one_ply_;
    std::optional<Player<Tiles>> opponent_;
    int kind_[MOST_PLAYERS] = {};
    int learner_ = 0;  // 1 + the seat that learns, or 0 for all
    int seen_ = 0;
    std::vector<Step> steps_[MOST_PLAYERS];
    std::vector<Sample> samples_;
};

}  // namespace triomino::TRIOMINO_ARCH
