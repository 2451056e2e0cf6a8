// The Python bindings: plain values and arrays. No rule is decided here.
#include "bind.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <new>

#include "calls.hpp"
#include "ledger.hpp"
#include "network.hpp"

using namespace nb::literals;
using namespace triomino;
using namespace triomino::bind;

namespace {

// --- Rules ---------------------------------------------------------------------------------------

using Fields = nb::typed<nb::dict, nb::str, int>;

Rules rules_from(const Fields& given) {
    std::vector<std::int64_t> numbers;
    for (const RuleField& field : rule_fields()) {
        if (!given.contains(field.name))
            throw std::invalid_argument(std::string("rules: ") + field.name + " is missing");
        numbers.push_back(nb::cast<std::int64_t>(given[field.name]));
    }
    if (numbers.size() != given.size()) throw std::invalid_argument("rules: there is a field the kernel does not know");
    Rules rules;
    const char* wrong = nullptr;
    if (const char* why = read_rules(numbers, rules, &wrong))
        throw std::invalid_argument("rules: " + (wrong ? std::string(wrong) + " is " : "") + why);
    return rules;
}

// --- Rounds --------------------------------------------------------------------------------------

std::size_t checked_count(std::int64_t count) {
    if (count < 0 || count > 100'000'000) throw std::invalid_argument("0 to 100000000 at once");
    return std::size_t(count);
}

// The policies of matches that triomino.bots plays as well.
Policy match_policy_of(int policy) {
    if (policy_of(policy) != Policy::RANDOM && Policy(policy) != Policy::GREEDY)
        throw std::invalid_argument("matches are played by random and greedy");
    return Policy(policy);
}

// Play rounds in parallel and return their results as arrays.
template <class Play>
Data rounds(std::size_t count, std::size_t players, int threads, const Play& play) {
    Array<std::int32_t> scores({count, players}), turns({count});
    Array<std::uint8_t> bridges({count, players}), hexagons({count, players}), reason({count}), starter({count}),
        winners({count});
    {
        nb::gil_scoped_release released;
        in_parts(std::int64_t(count), checked_threads(threads), 256, [&](std::int64_t first, std::int64_t number) {
            const auto at = std::size_t(first);
            play(first, number,
                 RoundResults{&scores.data[at * players], &turns.data[at], &bridges.data[at * players],
                              &hexagons.data[at * players], &reason.data[at], &starter.data[at], &winners.data[at]});
        });
    }
    Data out;
    out["scores"] = scores.numpy();
    out["turns"] = turns.numpy();
    out["bridges"] = bridges.numpy();
    out["hexagons"] = hexagons.numpy();
    out["reasons"] = reason.numpy();
    out["starters"] = starter.numpy();
    out["winners"] = winners.numpy();
    return out;
}

Data playouts(const Rules& rules, int players, std::int64_t count, int policy, std::uint64_t seed, std::int64_t first,
              int threads, bool portable) {
    refuse(check_players(rules, players));
    const Policy chosen = policy_of(policy);
    const Engine& use = engine(rules.tiles, portable);
    return rounds(checked_count(count), std::size_t(players), threads,
                  [&](std::int64_t at, std::int64_t number, const RoundResults& out) {
                      use.playouts(rules, players, chosen, seed, first + at, number, out);
                  });
}

Data rollouts(const State& state, std::int64_t count, int policy, std::uint64_t seed, std::int64_t first, int threads) {
    Position at;
    state.engine().dump(state.at(), at);
    const Policy chosen = policy_of(policy);
    return rounds(checked_count(count), std::size_t(at.players), threads,
                  [&](std::int64_t begin, std::int64_t number, const RoundResults& out) {
                      state.engine().rollouts(state.at(), state.rules(), chosen, seed, first + begin, number, out);
                  });
}

// --- Matches -------------------------------------------------------------------------------------

// Collects the moves of a match by round.
struct MoveRecorder final : MoveSink {
    std::vector<std::vector<MoveTuple>> rounds;
    void add(int round, const PlainMove& move) override {
        rounds.resize(std::size_t(round));
        rounds.back().push_back(tuple_of(move));
    }
};

Data matches(const Rules& rules, const std::vector<int>& bots, const std::string& seed, std::int64_t first,
             std::int64_t count, int threads) {
    const auto players = bots.size(), size = checked_count(count);
    refuse(check_players(rules, int(players)));
    if (seed.size() > 100) throw std::invalid_argument("this seed is too long");
    std::vector<Policy> policies;
    for (int bot : bots) policies.push_back(match_policy_of(bot));
    Array<std::int32_t> scores({size, players}), totals({size, 2}), bridges({size, players}), hexagons({size, players});
    Array<std::uint8_t> winners({size});
    {
        nb::gil_scoped_release released;
        in_parts(count, checked_threads(threads), 16, [&](std::int64_t begin, std::int64_t number) {
            for (std::int64_t i = begin; i < begin + number; i++) {
                const std::string name = std::to_string(first + i);
                const MatchResult played =
                    engine(rules.tiles)
                        .match(rules, int(players), policies.data(), seed.c_str(), name.c_str(), nullptr);
                const auto at = std::size_t(i);
                for (std::size_t seat = 0; seat < players; seat++) {
                    scores.data[at * players + seat] = played.scores[seat];
                    bridges.data[at * players + seat] = played.bridges[seat];
                    hexagons.data[at * players + seat] = played.hexagons[seat];
                }
                totals.data[2 * at] = played.rounds;
                totals.data[2 * at + 1] = played.turns;
                winners.data[at] = played.winners;
            }
        });
    }
    Data out;
    out["scores"] = scores.numpy();
    out["winners"] = winners.numpy();
    out["rounds_turns"] = totals.numpy();
    out["bridges"] = bridges.numpy();
    out["hexagons"] = hexagons.numpy();
    return out;
}

std::vector<std::vector<MoveTuple>> match_moves(const Rules& rules, const std::vector<int>& bots,
                                                const std::string& seed, std::int64_t number) {
    refuse(check_players(rules, int(bots.size())));
    if (seed.size() > 100) throw std::invalid_argument("this seed is too long");
    std::vector<Policy> policies;
    for (int bot : bots) policies.push_back(match_policy_of(bot));
    MoveRecorder moves;
    nb::gil_scoped_release released;
    engine(rules.tiles)
        .match(rules, int(bots.size()), policies.data(), seed.c_str(), std::to_string(number).c_str(), &moves);
    return moves.rounds;
}

// --- The ledger ----------------------------------------------------------------------------------

using SeatNumbers = std::vector<int>;

std::optional<int> none_as_nullopt(int number) {
    return number == Ledger::NONE ? std::nullopt : std::optional<int>(number);
}

int checked_seat(const Ledger& ledger, int seat) {
    if (seat < 0 || seat >= ledger.players) throw std::invalid_argument("no such seat");
    return seat;
}

SeatNumbers seats_of(int bits) {
    SeatNumbers out;
    for (int seat = 0; seat < MOST_PLAYERS; seat++)
        if (bits >> seat & 1) out.push_back(seat);
    return out;
}

std::vector<int> for_players(const Ledger& ledger, const Seats& values) {
    return {values.begin(), values.begin() + ledger.players};
}

Ledger open_ledger(const Rules& rules, int players, const std::vector<int>& totals, bool latched) {
    refuse(check_players(rules, players));
    if (!totals.empty() && totals.size() != std::size_t(players)) throw std::invalid_argument("a total for every seat");
    Seats begun{};
    std::copy(totals.begin(), totals.end(), begun.begin());
    return Ledger::open(rules, players, begun, latched);
}

Ledger ledger_after(const Ledger& ledger, const std::vector<std::tuple<int, int>>& scores) {
    std::vector<Score> checked;
    for (const auto& [seat, points] : scores) checked.push_back({checked_seat(ledger, seat), Reason::TILE, points});
    return ledger.after(checked);
}

Ledger close_round(const Ledger& ledger, int reason, const SeatNumbers& seats) {
    if (reason != int(EndReason::OUT) && reason != int(EndReason::BLOCKED)) throw std::invalid_argument("no such end");
    int bits = 0;
    for (int seat : seats) bits |= 1 << checked_seat(ledger, seat);
    return ledger.close(EndReason(reason), bits);
}

void bind_ledger(nb::module_& m) {
    nb::class_<Ledger>(m, "Ledger", "The score sheet of a match: see triomino.ledger.")
        .def_static("open", &open_ledger, "rules"_a, "players"_a, "totals"_a = std::vector<int>{}, "latched"_a = false)
        .def("after", &ledger_after, "scores"_a, "Return the ledger after one more entry of seats and points.")
        .def("close", &close_round, "reason"_a, "seats"_a,
             "Return the ledger with the round ended: reason 1 out, 2 blocked.")
        .def("next_round", [](const Ledger& self) { return self.next_round(); })
        .def(
            "started_by", [](const Ledger& self, int seat) { return self.started_by(checked_seat(self, seat)); },
            "starter"_a)
        .def_prop_ro("totals", [](const Ledger& self) { return for_players(self, self.totals); })
        .def_prop_ro("points", [](const Ledger& self) { return for_players(self, self.points()); })
        .def_ro("round", &Ledger::round)
        .def_ro("entries", &Ledger::entries)
        .def_prop_ro("starter", [](const Ledger& self) { return none_as_nullopt(self.starter); })
        .def_prop_ro("latched_at", [](const Ledger& self) { return none_as_nullopt(self.latched_at); })
        .def_prop_ro("end_winners",
                     [](const Ledger& self) -> std::optional<SeatNumbers> {
                         if (self.end.reason == EndReason::NONE) return std::nullopt;
                         return seats_of(self.end.winners);
                     })
        .def_prop_ro("is_last_round", &Ledger::is_last_round)
        .def_prop_ro("is_over", &Ledger::is_over)
        .def_prop_ro("leaders", [](const Ledger& self) { return seats_of(self.leaders()); })
        .def_prop_ro("winners", [](const Ledger& self) { return seats_of(self.winners()); })
        .def_prop_ro("next_starter", [](const Ledger& self) { return none_as_nullopt(self.next_starter()); });
}

// --- Search --------------------------------------------------------------------------------------

// A Candidate: index among the legal moves, worlds, sums of wins (60 each), of margins and of their
// squares, solved exactly.
using Found = std::tuple<int, std::int64_t, std::int64_t, std::int64_t, std::int64_t, bool>;

using Events = std::vector<std::tuple<int, int>>;  // seat, kind of move

SearchLimit limit_from(std::int64_t rollouts, std::int64_t nanoseconds, std::uint64_t seed, int win_weight,
                       std::int64_t endgame_nodes, int endgame_pool, int keep, bool places_only, int plies, int horizon,
                       int prior_worlds, const Network* network, const std::vector<int>& start_totals,
                       const Events& events) {
    SearchLimit limit;
    limit.plies = plies, limit.horizon = horizon;
    limit.prior_worlds = prior_worlds, limit.network = network;
    for (const auto& [seat, kind] : events) limit.events.push_back({seat, kind});
    if (start_totals.size() > MOST_PLAYERS) throw std::invalid_argument("there is a total for every seat");
    limit.rollouts = rollouts, limit.nanoseconds = nanoseconds, limit.seed = seed;
    limit.win_weight = win_weight, limit.keep = keep, limit.places_only = places_only;
    limit.endgame_nodes = endgame_nodes, limit.endgame_pool = endgame_pool;
    std::copy(start_totals.begin(), start_totals.end(), limit.start_totals.begin());
    refuse(check_limit(limit));
    return limit;
}

std::vector<Found> run_search(const State& state, const WorldSource& source, const SearchLimit& limit) {
    std::vector<Candidate> found(MOST_MOVES);
    {
        nb::gil_scoped_release released;
        found.resize(std::size_t(state.engine().search(state.at(), state.rules(), source, limit, found.data())));
    }
    std::vector<Found> out;
    for (const Candidate& c : found) out.emplace_back(c.index, c.worlds, c.win, c.margin, c.margin_squared, c.exact);
    return out;
}

// Search among given worlds, all of the same position.
std::vector<Found> search_worlds(const std::vector<const State*>& worlds, const SearchLimit& limit) {
    if (worlds.empty()) throw std::invalid_argument("a search needs a world");
    std::vector<const void*> at;
    for (const State* world : worlds) {
        if (&world->engine() != &worlds[0]->engine() || !(world->rules() == worlds[0]->rules()))
            throw std::invalid_argument("the worlds of a search have the same rules");
        at.push_back(world->at());
    }
    return run_search(*worlds[0], {nullptr, nullptr, 0, 0, at.data(), std::int64_t(at.size())}, limit);
}

// --- Sampling ------------------------------------------------------------------------------------

// Samples the hidden tiles of a view into copies of a state.
class Sampler {
   public:
    using WayTuple = std::tuple<std::uint64_t, std::vector<int>, std::vector<int>>;

    Sampler(const State& state, int pool_size, Words unseen, const std::vector<std::tuple<int, Words>>& groups,
            const std::vector<std::vector<WayTuple>>& ways)
        : state_(state) {
        Position at;
        state.engine().dump(state.at(), at);
        if (groups.size() > WorldPlan::MOST_GROUPS || ways.size() != std::size_t(at.players))
            throw std::invalid_argument("this view is too long to be sampled here");
        int hidden = 0;
        for (auto word : unseen) hidden += std::popcount(word);
        if (at.pool.count != 0 || pool_size < 0 || pool_size > hidden)
            throw std::invalid_argument("the pool must be hidden");
        plan_.unseen = unseen;
        for (const auto& [seat, allowed] : groups) {
            if (seat < 0 || seat >= at.players || ways[std::size_t(seat)].empty())
                throw std::invalid_argument("no such seat");
            plan_.group[std::size_t(plan_.groups++)] = {seat, allowed};
        }
        for (std::size_t seat = 0; seat < ways.size(); seat++) {
            for (const auto& way : ways[seat]) add_way(seat, way, groups.size(), hidden);
            if (!way_[seat].empty() && way_[seat].back().up_to != ~std::uint64_t{0})
                throw std::invalid_argument("the chances do not add up");
            plan_.ways[seat] = int(way_[seat].size());
            plan_.way[seat] = way_[seat].data();
        }
        pool_size_ = pool_size;
    }

    // Sampled states, and the state of the generator afterwards.
    std::tuple<std::vector<State>, std::uint64_t> sample(int count, std::uint64_t dice) const {
        std::vector<State> out;
        nb::gil_scoped_release released;
        for (int i = 0; i < count; i++) {
            out.push_back(state_);
            State& state = out.back();
            state.engine().sample(state.at(), plan_, pool_size_, &dice);
        }
        return {std::move(out), dice};
    }

    // The same, as the moves so far suggest.
    std::tuple<std::vector<State>, std::uint64_t> infer(int count, std::uint64_t dice, const Events& events) const {
        SearchLimit limit;
        limit.rollouts = 1;
        for (const auto& [seat, kind] : events) limit.events.push_back({seat, kind});
        refuse(check_limit(limit));
        std::vector<State> out(std::size_t(std::max(1, count)), state_);
        std::vector<void*> at;
        for (State& state : out) at.push_back(state.at());
        nb::gil_scoped_release released;
        if (!state_.engine().infer(at.data(), int(out.size()), state_.rules(), plan_, pool_size_, limit.events, &dice))
            throw std::invalid_argument("these are not the moves of the round");
        return {std::move(out), dice};
    }

    std::vector<Found> search(const SearchLimit& limit, const Sampler* belief, int forced_draw_prior) const {
        return run_search(
            state_, {&plan_, belief ? &belief->plan_ : nullptr, forced_draw_prior, pool_size_, nullptr, 0}, limit);
    }

   private:
    void add_way(std::size_t seat, const WayTuple& way, std::size_t groups, int hidden) {
        const auto& [up_to, left, most] = way;
        if (left.size() != groups || most.size() != groups)
            throw std::invalid_argument("a way has a number for every group");
        int slots = 0;
        for (std::size_t i = 0; i < left.size(); i++) {
            if (left[i] < 0 || (left[i] && most[i] < left[i])) throw std::invalid_argument("no way to fill a group");
            slots += left[i];
        }
        if (slots > hidden) throw std::invalid_argument("more tiles than there are");
        lefts_.emplace_back(left.begin(), left.end());
        mosts_.emplace_back(most.begin(), most.end());
        way_[seat].push_back({up_to, lefts_.back().data(), mosts_.back().data()});
    }

    State state_;
    WorldPlan plan_;
    std::vector<std::vector<std::uint8_t>> lefts_;
    std::vector<std::vector<std::int32_t>> mosts_;
    std::array<std::vector<WorldPlan::Way>, MOST_PLAYERS> way_;
    int pool_size_ = 0;
};

// --- The network ---------------------------------------------------------------------------------

std::unique_ptr<Network> network_from(const nb::bytes& bytes) {
    auto network = std::make_unique<Network>();
    if (const char* why = network->load(static_cast<const std::uint8_t*>(bytes.data()), bytes.size()))
        throw std::invalid_argument(why);
    return network;
}

std::tuple<int, int> judge(const State& state, const Network& network, const std::vector<int>& start_totals, int seat,
                           bool pending) {
    Position at;
    state.engine().dump(state.at(), at);
    if (seat < 0 || seat >= at.players || start_totals.size() > MOST_PLAYERS || at.ending ||
        (pending && !at.drawn.count))
        throw std::invalid_argument("there is nothing to judge");
    Seats started{};
    std::copy(start_totals.begin(), start_totals.end(), started.begin());
    const Judgement found = state.engine().judge(state.at(), state.rules(), network, started, seat, pending);
    return {found.margin, found.win};
}

PlayerSpec policy_player(int policy) {
    PlayerSpec spec;
    spec.policy = policy_of(policy);
    return spec;
}

PlayerSpec thinking_player(const SearchLimit& limit, bool searches) {
    PlayerSpec spec;
    spec.kind = searches ? PlayerSpec::Kind::SEARCH : PlayerSpec::Kind::NETWORK;
    if (!searches && !limit.network) throw std::invalid_argument("such a player needs a network");
    spec.limit = limit;
    return spec;
}

Data contest(const Rules& rules, int players, const PlayerSpec& one, const PlayerSpec& other, std::uint64_t seed,
             std::int64_t first, std::int64_t count, int threads) {
    refuse(check_players(rules, players));
    const std::size_t size = checked_count(count);
    Array<float> won({size}), margin({size});
    Array<std::int64_t> nanoseconds({size, 2});
    Array<std::int32_t> moves({size, 2}), late({size, 2});
    {
        nb::gil_scoped_release released;
        in_parts(count, checked_threads(threads), 4, [&](std::int64_t begin, std::int64_t number) {
            const auto at = std::size_t(begin);
            engine(rules.tiles)
                .contest(rules, players, one, other, seed, first + begin, number,
                         {&won.data[at], &margin.data[at], &nanoseconds.data[2 * at], &moves.data[2 * at],
                          &late.data[2 * at]});
        });
    }
    Data out;
    out["won"] = won.numpy();
    out["margin"] = margin.numpy();
    out["nanoseconds"] = nanoseconds.numpy();
    out["moves"] = moves.numpy();
    out["late"] = late.numpy();
    return out;
}

Data training_samples(const Rules& rules, int players, const Network* network, const PlayerSpec* opponent,
                      int win_weight, int mistakes, int draws, int lambda, std::int64_t count, std::uint64_t seed,
                      std::int64_t first, int threads) {
    refuse(check_players(rules, players));
    if (opponent && !network) throw std::invalid_argument("against an opponent a network learns");
    const TrainingPlan plan{network, opponent, win_weight, mistakes, draws, lambda};
    const std::size_t size = checked_count(count) * SAMPLES_PER_ROUND;
    Array<std::int16_t> features({size, std::size_t(FEATURES)}), lead({size});
    Array<float> margin({size}), win({size});
    {
        nb::gil_scoped_release released;
        in_parts(count, checked_threads(threads), 64, [&](std::int64_t begin, std::int64_t number) {
            const auto at = std::size_t(begin) * SAMPLES_PER_ROUND;
            engine(rules.tiles)
                .training_samples(rules, players, plan, seed, first + begin, number,
                                  {&features.data[at * FEATURES], &lead.data[at], &margin.data[at], &win.data[at]});
        });
    }
    Data out;
    out["features"] = features.numpy();
    out["lead"] = lead.numpy();
    out["margin"] = margin.numpy();
    out["win"] = win.numpy();
    return out;
}

void bind_network(nb::module_& m) {
    nb::class_<Network>(m, "Network", "The weights of the network that judges positions.")
        .def_static("load", &network_from, "weights"_a);
    m.def("judge", &judge, "state"_a, "network"_a, "start_totals"_a, "seat"_a, "pending"_a,
          "Return the margin to come, in 1/64 of a point, and the chance to win, of 65536.");
    nb::class_<PlayerSpec>(m, "PlayerSpec", "A player of contests.");
    m.def("policy_player", &policy_player, "policy"_a);
    m.def("thinking_player", &thinking_player, "limit"_a, "searches"_a, nb::keep_alive<0, 1>());
    m.def("contest", &contest, "rules"_a, "players"_a, "one"_a, "other"_a, "seed"_a, "first"_a, "count"_a, "threads"_a,
          "Return the results of games on the same deals with the seats exchanged.");
    m.def("training_samples", &training_samples, "rules"_a, "players"_a, "network"_a.none(), "opponent"_a.none(),
          "win_weight"_a, "mistakes"_a, "draws"_a, "lambda_"_a, "count"_a, "seed"_a, "first"_a, "threads"_a,
          "Return training samples from self-played rounds.");
}

// --- The module ----------------------------------------------------------------------------------

void bind_rules(nb::module_& m) {
    nb::class_<Rules>(m, "Rules", "Rules as the kernel reads them.");
    m.def("make_rules", &rules_from, "fields"_a, "Return rules from their fields, each a whole number.");
    m.def(
        "rule_fields",
        [] {
            std::vector<std::string> names;
            for (const RuleField& field : rule_fields()) names.emplace_back(field.name);
            return names;
        },
        "Return the names of the fields, in the order in which call() takes their numbers.");
    m.def(
        "call", [](int what, const std::vector<std::int32_t>& numbers) { return triomino::call(Call(what), numbers); },
        "what"_a, "numbers"_a, "Carry out a call of native/calls.hpp.");
    m.def(
        "engine_name", [](bool portable) { return engine(56, portable).name(); }, "portable"_a = false,
        "Return the name of the instruction set in use.");
}

void bind_state(nb::module_& m) {
    nb::class_<State>(m, "State", "A position within a round.")
        .def_static("load", &State::load, "rules"_a, "board"_a, "racks"_a, "pool"_a, "drawn"_a, "totals"_a, "turn"_a,
                    "starter"_a, "idle"_a, "latched"_a, "ending"_a, "end_seats"_a, "portable"_a = false)
        .def("dump", &State::dump, "Return the position as plain data.")
        .def(
            "copy", [](const State& self) { return State(self); }, "Return an independent copy.")
        .def("raw", &State::raw, "Return the memory of the state, for this build of the kernel.")
        .def_static("from_raw", &State::from_raw, "rules"_a, "raw"_a)
        .def("actions", &State::actions, "Return the legal actions: see native/batch.hpp.")
        .def("play", &State::play, "action"_a, "Play a legal action.")
        .def_prop_ro("players", &State::players)
        .def_prop_ro("turn", &State::turn)
        .def_prop_ro("totals", &State::totals, "By seat, six of them.")
        .def("put_next", &State::put_next, "tile"_a, "Make a tile of the pool the next one drawn.")
        .def("legal", &State::legal, "Return every legal move.")
        .def("apply", &State::apply, "move"_a, "Play a legal move and return the bonus it made.")
        .def("points", &State::points, "move"_a, "Return the points of a legal move on its own.")
        .def("solve", &State::solve, "nodes"_a, "win_weight"_a,
             "Return margin, win and nodes of best play by both, or None if the nodes did not suffice.")
        .def("perft", &State::perft, "depth"_a, "Return the number of move sequences of this length.");
}

void bind_rounds(nb::module_& m) {
    m.def("playouts", &playouts, "rules"_a, "players"_a, "count"_a, "policy"_a, "seed"_a, "first"_a, "threads"_a,
          "portable"_a = false);
    m.def("rollouts", &rollouts, "state"_a, "count"_a, "policy"_a, "seed"_a, "first"_a, "threads"_a);
    m.def("matches", &matches, "rules"_a, "bots"_a, "seed"_a, "first"_a, "count"_a, "threads"_a);
    m.def("match_moves", &match_moves, "rules"_a, "bots"_a, "seed"_a, "number"_a);
}

void bind_search(nb::module_& m) {
    nb::class_<SearchLimit>(m, "SearchLimit", "The budget and settings of a search.")
        .def(
            "__init__",
            [](SearchLimit* self, std::int64_t rollouts, std::int64_t nanoseconds, std::uint64_t seed, int win_weight,
               std::int64_t endgame_nodes, int endgame_pool, int keep, bool places_only, int plies, int horizon,
               int prior_worlds, const Network* network, const std::vector<int>& start_totals, const Events& events) {
                new (self)
                    SearchLimit(limit_from(rollouts, nanoseconds, seed, win_weight, endgame_nodes, endgame_pool, keep,
                                           places_only, plies, horizon, prior_worlds, network, start_totals, events));
            },
            nb::kw_only(), "rollouts"_a, "nanoseconds"_a, "seed"_a, "win_weight"_a, "endgame_nodes"_a, "endgame_pool"_a,
            "keep"_a, "places_only"_a, "plies"_a, "horizon"_a, "prior_worlds"_a, "network"_a.none(), "start_totals"_a,
            "events"_a, nb::keep_alive<1, 13>())
        .def_rw("only", &SearchLimit::only, "Indices of the legal moves to compare; all if it is empty.")
        .def_rw("greedy_rivals", &SearchLimit::greedy_rivals)
        .def_rw("sees_all", &SearchLimit::sees_all)
        .def_rw("sees_racks", &SearchLimit::sees_racks);
    m.def("search_worlds", &search_worlds, "worlds"_a, "limit"_a, "Return the candidates of a position, best first.");
    nb::class_<Sampler>(m, "Sampler", "Samples the deals that a view allows.")
        .def(nb::init<const State&, int, Words, const std::vector<std::tuple<int, Words>>&,
                      const std::vector<std::vector<Sampler::WayTuple>>&>(),
             "state"_a, "pool_size"_a, "unseen"_a, "groups"_a, "ways"_a)
        .def("sample", &Sampler::sample, "count"_a, "dice"_a)
        .def("infer", &Sampler::infer, "count"_a, "dice"_a, "events"_a)
        .def("search", &Sampler::search, "limit"_a, "belief"_a.none(), "forced_draw_prior"_a);
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "The native kernel in plain values; triomino.kernel wraps it in games and views.";
    bind_rules(m);
    bind_ledger(m);
    bind_state(m);
    bind_rounds(m);
    bind_network(m);
    bind_search(m);
    bind_batch(m);
}
