// See thinking.hpp. Compiled for the baseline instruction set. Dice are thrown in the same order as in
// Python, so that equal dice give equal answers.
#include "thinking.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "checks.hpp"
#include "clock.hpp"

namespace triomino {

namespace {

constexpr int FEW_WORLDS = 24;    // for a search without a plan
constexpr int FEWEST_WORLDS = 2;  // even if time is up

bool is_place(const PlainMove& move) { return MoveKind(move.kind) == MoveKind::PLACE; }

int value_of(const PlainMove& move) { return move.numbers[0] + move.numbers[1] + move.numbers[2]; }

bool others_drew(const Round& round) {
    return std::any_of(round.plies().begin(), round.plies().end(),
                       [&](const Ply& ply) { return ply.kind() == MoveKind::DRAW && ply.seat != round.turn(); });
}

std::unique_ptr<Network> network;

}  // namespace

int candidate_of(const Round& round, const std::vector<PlainMove>& moves, const PlainMove& wanted) {
    for (std::size_t i = 0; i < moves.size(); i++) {
        const bool same_opening =
            !round.laid() && is_place(wanted) && is_place(moves[i]) && moves[i].tile == wanted.tile;
        if (moves[i] == wanted || same_opening) return int(i);
    }
    return -1;
}

const char* set_network(const std::uint8_t* bytes, std::size_t size) {
    auto read = std::make_unique<Network>();
    if (const char* why = read->load(bytes, size)) return why;
    network = std::move(read);
    return nullptr;
}

const char* check_effort(const Effort& effort) {
    if (effort.forced_draw_prior < 0 || effort.forced_draw_prior > 256) return "forced_draw_prior is 0 to 256";
    if (effort.judges && !network) return "the network is missing";
    SearchLimit limit;
    limit.rollouts = effort.rollouts, limit.nanoseconds = effort.nanoseconds;
    limit.plies = effort.plies, limit.horizon = std::max(0, effort.horizon), limit.prior_worlds = effort.prior_worlds;
    return check_limit(limit);
}

Sampler::Sampler(const Round& round, int seat)
    : round_(round), evidence_(round, seat, round.rules()), known_(round.engine()) {
    round.engine().load(known_.get(), round.rules(), evidence_.known());
    planned_ = evidence_.plan(plan_);
}

StateMemory Sampler::sample(Rng& dice) const {
    StateMemory out = known_;
    if (planned_)
        round_.engine().sample(out.get(), plan_.plan, round_.pool_size(), dice.state());
    else
        round_.engine().load(out.get(), round_.rules(), evidence_.sample(dice));
    return out;
}

std::vector<Candidate> search(const Round& round, const Effort& effort, Rng& dice, const PlainMove* keep,
                              const std::vector<PlainMove>& only) {
    const Stopwatch watch;
    const std::vector<PlainMove> moves = round.legal();
    const Sampler sampler(round, round.turn());
    const Rules& rules = round.rules();

    OwnedPlan belief;
    bool believes = false;
    if (sampler.is_planned() && effort.forced_draw_prior && rules.voluntary_draw != VoluntaryDraw::NEVER &&
        others_drew(round)) {
        Rules forced = rules;
        forced.voluntary_draw = VoluntaryDraw::NEVER;
        const Evidence evidence(round, round.turn(), forced);
        believes = evidence.possible() && evidence.plan(belief);
    }

    std::vector<StateMemory> worlds;
    std::vector<const void*> at;
    while (!sampler.is_planned() && worlds.size() < FEW_WORLDS) {
        worlds.push_back(sampler.sample(dice));
        if (!effort.rollouts && worlds.size() >= FEWEST_WORLDS && watch.nanoseconds() > effort.nanoseconds / 2) break;
    }
    for (const StateMemory& world : worlds) at.push_back(world.get());

    SearchLimit limit;
    limit.rollouts = effort.rollouts;
    limit.nanoseconds = std::max<std::int64_t>(1, effort.nanoseconds - watch.nanoseconds());
    limit.seed = dice.word();
    limit.win_weight = effort.win_weight;
    limit.endgame_nodes = effort.endgame_nodes, limit.endgame_pool = effort.endgame_pool;
    limit.keep = keep ? candidate_of(round, moves, *keep) : -1;
    for (const PlainMove& move : only) limit.only.push_back(candidate_of(round, moves, move));
    limit.places_only = !effort.may_draw;
    limit.plies = effort.plies;
    limit.horizon = effort.horizon < 0 ? round.players() + 1 : effort.horizon;
    limit.prior_worlds = effort.prior_worlds, limit.greedy_rivals = effort.greedy_rivals;
    if (effort.judges) limit.network = network.get();
    limit.start_totals = round.start_ledger().totals;
    for (const Ply& ply : round.plies()) limit.events.push_back({ply.seat, ply.move.kind});

    WorldSource source;
    if (sampler.is_planned()) {
        source = {&sampler.plan().plan,
                  believes ? &belief.plan : nullptr,
                  effort.forced_draw_prior,
                  round.pool_size(),
                  nullptr,
                  0};
    } else {
        source = {nullptr, nullptr, 0, 0, at.data(), std::int64_t(at.size())};
    }
    std::vector<Candidate> out(MOST_MOVES);
    const void* base = sampler.is_planned() ? sampler.known().get() : at[0];
    out.resize(std::size_t(round.engine().search(base, rules, source, limit, out.data())));
    return out;
}

// --- Bots ----------------------------------------------------------------------------------------

Effort effort_of(Level level) {
    Effort effort;
    effort.judges = true;
    effort.win_weight = 300;
    if (level == Level::CHAMPION) {
        effort.nanoseconds = 50'000'000;
        effort.greedy_rivals = false;
        return effort;
    }
    effort.endgame_nodes = 0, effort.endgame_pool = -1;
    effort.rollouts = level == Level::MEDIUM ? 20 : level == Level::HARD ? 60 : 130;
    effort.greedy_rivals = level == Level::MEDIUM;
    return effort;
}

namespace {

// Somebody who does not look closely: chances of 256 to overlook a place, and a bonus in one it sees;
// the hasty takes the first place it finds, unless it notices a bonus; who plans likes places after
// which its own tiles fit, and few of the others.
struct Human {
    int overlooks, misses_bonus;
    bool hasty, plans;
};

constexpr int OWN_TILE = 12;   // points that one more tile of one's own that fits is worth to who plans
constexpr int OTHER_TILE = 4;  // points that one costs that fits and is on another rack or in the pool

int chance_to_overlook(Level level) { return level == Level::MEDIUM ? 42 : level == Level::HARD ? 36 : 0; }

Board board_of(const Round& round) {
    Board board;
    for (const PlainMove& place : round.board()) board.lay(place);
    return board;
}

// What one who plans thinks of the tiles that fit after a move.
int outlook(const Round& round, Board board, const PlainMove& move) {
    board.lay(move);
    TileBits own{}, fitting{};
    for (int tile : round.rack(round.turn())) add_tile(own, tile);
    TileBits left = tiles_of(round.rules());
    for (int word = 0; word < 2; word++) left[std::size_t(word)] &= ~board.laid()[std::size_t(word)];
    for (const PlainMove& place : board.placements(left)) add_tile(fitting, place.tile);
    const TileBits mine{fitting[0] & own[0], fitting[1] & own[1]};
    return OWN_TILE * count_tiles(mine) - OTHER_TILE * (count_tiles(fitting) - count_tiles(mine));
}

PlainMove human_move(const Round& round, const Human& human, Rng& dice) {
    const Board board = board_of(round);
    std::vector<Choice> places, others, seen;
    for (const Choice& choice : round.choices()) (is_place(choice.move) ? places : others).push_back(choice);
    for (const Choice& place : places)
        if (dice.below(256) >= human.overlooks) seen.push_back(place);
    if (seen.empty() && others.empty()) seen = places;
    for (int i = int(seen.size()) - 1; i > 0; i--)
        std::swap(seen[std::size_t(i)], seen[std::size_t(dice.below(i + 1))]);
    const auto worth = [&](const Choice& place) {
        const bool closed = !board.empty() && board.known_numbers(place.move).size() == 3;
        const int bonus = closed ? place.points - value_of(place.move) : 0;
        const bool noticed = bonus > 0 && dice.below(256) >= human.misses_bonus;
        if (human.hasty) return int(noticed);
        const int points = noticed ? place.points : place.points - std::max(0, bonus);
        return human.plans ? points + outlook(round, board, place.move) : points;
    };
    const bool draws = seen.empty();
    const std::vector<Choice>& from = draws ? others : seen;
    std::size_t best = 0;
    int most = 0;
    for (std::size_t i = 0; i < from.size(); i++) {
        const int here = draws ? from[i].points : worth(from[i]);
        if (!i || here > most) best = i, most = here;
    }
    return from[best].move;
}

// The placement with the most points, then of the highest tile; else the cheapest move.
PlainMove greedy_move(const Round& round) {
    const std::vector<Choice> choices = round.choices();
    const auto worth = [](const Choice& choice) {
        const bool placed = is_place(choice.move);
        return std::array{int(placed), choice.points, placed ? value_of(choice.move) : 0};
    };
    return std::max_element(choices.begin(), choices.end(),
                            [&](const Choice& a, const Choice& b) { return worth(a) < worth(b); })
        ->move;
}

}  // namespace

PlainMove choose_move(const Round& round, Level level, Rng& dice, std::int64_t rollouts, std::int64_t nanoseconds) {
    const std::vector<PlainMove> moves = round.legal();
    if (level == Level::RANDOM) return moves[std::size_t(dice.below(int(moves.size())))];
    if (level == Level::BEGINNER) return human_move(round, {226, 160, true, false}, dice);
    if (level == Level::EASY) return human_move(round, {24, 32, false, true}, dice);
    if (level == Level::GREEDY) return greedy_move(round);
    if (moves.size() == 1) return moves[0];
    Effort effort = effort_of(level);
    if (!network) effort.judges = false;  // weaker, but it plays
    if (rollouts > 0)
        effort.rollouts = rollouts;
    else if (nanoseconds > 0)
        effort.rollouts = 0, effort.nanoseconds = nanoseconds;
    const std::vector<Candidate> found = search(round, effort, dice);
    std::optional<PlainMove> seen;
    for (const Candidate& one : found) {
        const PlainMove& move = moves[std::size_t(one.index)];
        const bool overlooked = is_place(move) && dice.below(256) < chance_to_overlook(level);
        if (!overlooked && !seen) seen = move;
    }
    return seen.value_or(moves[std::size_t(found[0].index)]);
}

// --- Facts ---------------------------------------------------------------------------------------

namespace {

constexpr int WORLDS = 64;                 // in which the next player is looked at
constexpr int LIKELY = 10;                 // in 100: a danger less likely than this is not mentioned
constexpr int STUCK = 25;                  // in 100: so likely must it be that the next player is stuck
constexpr int HOPED = 5;                   // in 100: so many of the unseen tiles must score a bonus
constexpr std::size_t MOST_FOLLOWING = 2;  // facts about what follows

bool at_least(int part, int whole, int percent) { return 100 * part >= percent * whole; }

// The points of the smallest bonus, or 0 if there is none.
int least_bonus(const Rules& rules) {
    if (!rules.scoring) return 0;
    const auto& hexagons = rules.hexagon_bonuses;
    return std::min(rules.bridge_bonus, *std::min_element(hexagons.begin(), hexagons.end()));
}

// What a move wins or costs at once.
std::vector<Fact> gains(const Round& round, const PlainMove& move) {
    std::vector<Fact> found;
    const Rules& rules = round.rules();
    int points = round.engine().points(round.state(), rules, move);
    const Bonus bonus = rules.scoring ? round.engine().bonus(round.state(), rules, move) : Bonus::NONE;
    if (bonus != Bonus::NONE) {
        found.push_back({.kind = Fact::Kind::BONUS, .points = bonus_points(rules, bonus), .bonus = bonus});
        points -= bonus_points(rules, bonus);
    }
    const bool goes_out = is_place(move) && round.rack(round.turn()).size() == 1;
    if (MoveKind(move.kind) == MoveKind::DRAW)
        found.push_back({.kind = Fact::Kind::DRAW, .points = points});
    else if (goes_out)
        found.push_back({.kind = Fact::Kind::OUT, .points = points});
    else if (points)
        found.push_back({.kind = Fact::Kind::POINTS, .points = points});
    return found;
}

// What the next player can do: score a bonus, or place nothing at all.
void add_prospects(const Round& round, const PlainMove& move, Rng& dice, std::vector<Fact>& found) {
    const Engine& engine = round.engine();
    const Rules& rules = round.rules();
    const int least = least_bonus(rules);
    const Sampler sampler(round, round.turn());
    int threatened = 0, stuck = 0;
    for (int i = 0; i < WORLDS; i++) {
        StateMemory world = sampler.sample(dice);
        int bonus = 0;
        Position after;
        engine.apply(world.get(), rules, move, &bonus);
        engine.dump(world.get(), after);
        if (after.ending) continue;
        std::vector<PlainMove> replies(MOST_MOVES);
        replies.resize(std::size_t(engine.legal(world.get(), rules, replies.data())));
        std::erase_if(replies, [](const PlainMove& reply) { return !is_place(reply); });
        stuck += replies.empty();
        threatened += least && std::any_of(replies.begin(), replies.end(), [&](const PlainMove& reply) {
                          return engine.points(world.get(), rules, reply) >= least;
                      });
    }
    if (at_least(threatened, WORLDS, LIKELY))
        found.push_back({.kind = Fact::Kind::DANGER, .points = least, .part = threatened, .whole = WORLDS});
    if (at_least(stuck, WORLDS, STUCK)) found.push_back({.kind = Fact::Kind::STUCK, .part = stuck, .whole = WORLDS});
}

// Tiles that stay on the rack and fit, if two or more do so at the same number.
void add_kept(const Round& round, const PlainMove& move, std::vector<Fact>& found) {
    Board board = board_of(round);
    board.lay(move);
    std::array<int, 6> shown{};
    for (int tile : round.rack(round.turn())) {
        if (tile == move.tile) continue;
        std::array<bool, 6> at{};
        TileBits one{};
        add_tile(one, tile);
        for (const PlainMove& place : board.placements(one))
            for (int number : board.known_numbers(place)) at[std::size_t(number)] = true;
        for (std::size_t number = 0; number < 6; number++) shown[number] += at[number];
    }
    int best = 0;
    for (int number = 0; number < 6; number++)
        if (shown[std::size_t(number)] >= shown[std::size_t(best)]) best = number;
    const int count = shown[std::size_t(best)];
    if (count > 1) found.push_back({.kind = Fact::Kind::KEEPS, .count = count, .number = best});
}

// What a tile drawn now may bring, with every unseen tile as likely as the others.
void add_hopes(const Round& round, std::vector<Fact>& found) {
    TileBits unseen = tiles_of(round.rules());
    for (const PlainMove& place : round.board()) remove_tile(unseen, place.tile);
    for (int tile : round.rack(round.turn())) remove_tile(unseen, tile);
    const int number = count_tiles(unseen), least = least_bonus(round.rules());
    if (!number || !round.laid()) return;
    const Board board = board_of(round);
    TileBits scored{};
    for (const PlainMove& place : board.placements(unseen))
        if (least && board.bonus(place, round.rules()) != Bonus::NONE) add_tile(scored, place.tile);
    if (at_least(count_tiles(scored), number, HOPED)) {
        found.push_back({.kind = Fact::Kind::HOPES, .points = least, .part = count_tiles(scored), .whole = number});
        return;
    }
    const std::vector<PlainMove> moves = round.legal();
    if (std::any_of(moves.begin(), moves.end(), is_place)) return;
    const TileBits& playable = round.playable(round.laid());
    const TileBits fitting{playable[0] & unseen[0], playable[1] & unseen[1]};
    found.push_back({.kind = Fact::Kind::FITS, .part = count_tiles(fitting), .whole = number});
}

}  // namespace

std::vector<Fact> facts(const Round& round, const PlainMove& move, Rng& dice) {
    std::vector<Fact> follows, found = gains(round, move);
    if (is_place(move)) {
        add_prospects(round, move, dice, follows);
        add_kept(round, move, follows);
    } else if (MoveKind(move.kind) == MoveKind::DRAW) {
        add_hopes(round, follows);
    }
    follows.resize(std::min(follows.size(), MOST_FOLLOWING));
    found.insert(found.end(), follows.begin(), follows.end());
    return found;
}

}  // namespace triomino
