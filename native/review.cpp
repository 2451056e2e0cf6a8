// See review.hpp. Compiled for the baseline instruction set.
#include "review.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace triomino {

namespace {

constexpr int ROLLOUTS = 800;  // for each position
constexpr int DEALS = 20'000;  // rounds from which the worth of the start is known
constexpr int BATCHES = 8;     // parts of a comparison, from whose differences its noise is known
constexpr double LEAST = 0.04;
constexpr double INACCURACY = 0.04, MISTAKE = 0.08, BLUNDER = 0.16;

// --- Numbers -------------------------------------------------------------------------------------

// The exact sum, rounded once: math.fsum.
double exact_sum(const std::vector<double>& numbers) {
    std::vector<double> parts;  // that do not overlap, the smallest first
    for (double x : numbers) {
        std::size_t kept = 0;
        for (double y : parts) {
            if (std::abs(x) < std::abs(y)) std::swap(x, y);
            const double high = x + y, low = y - (high - x);
            if (low != 0) parts[kept++] = low;
            x = high;
        }
        parts.resize(kept);
        parts.push_back(x);
    }
    double sum = 0, low = 0;
    std::size_t left = parts.size();
    while (left && low == 0) {
        const double before = sum;
        sum += parts[--left];
        low = parts[left] - (sum - before);
    }
    // A half was rounded to even: what is below it may say otherwise.
    const bool same_sign = left && low != 0 && (low < 0) == (parts[left - 1] < 0);
    const double further = sum + 2 * low;
    return same_sign && further - sum == 2 * low ? further : sum;
}

double length_of(const std::vector<double>& numbers) {
    double sum = 0;
    for (double number : numbers) sum += number * number;
    return std::sqrt(sum);
}

// The standard error of a mean.
double error_of(const std::vector<double>& numbers) {
    const double count = double(numbers.size()), mean = exact_sum(numbers) / count;
    double sum = 0;
    for (double number : numbers) sum += (number - mean) * (number - mean);
    return std::sqrt(sum / (count - 1)) / std::sqrt(count);
}

// --- Shares --------------------------------------------------------------------------------------

// Memory for the results of rounds.
struct Rounds {
    explicit Rounds(int count, int players)
        : scores(std::size_t(count * players)),
          turns(std::size_t(count)),
          bytes(std::size_t(count * (2 * players + 3))),
          count(count),
          players(players) {}
    RoundResults results() {
        std::uint8_t* at = bytes.data();
        return {scores.data(),
                turns.data(),
                at,
                at + count * players,
                at + count * players * 2,
                at + count * (players * 2 + 1),
                at + count * (players * 2 + 2)};
    }
    std::vector<std::int32_t> scores, turns;
    std::vector<std::uint8_t> bytes;
    int count, players;
};

// The mean over rounds of who won them, shared evenly; *won* has bits.
template <class Won>
Shares mean_of(int count, int players, Won won) {
    Shares sum{};
    for (int i = 0; i < count; i++) {
        const int bits = won(i);
        const double each = 1.0 / std::popcount(unsigned(bits));
        for (int seat = 0; seat < players; seat++) sum[std::size_t(seat)] += bits >> seat & 1 ? each : 0.0;
    }
    for (double& part : sum) part /= count;
    return sum;
}

// How often each seat wins if greedy players finish the round, the pool reshuffled each time.
Shares judge(const Round& round, const Position& at, std::uint64_t seed, double effort) {
    const int count = std::max(1, int(std::nearbyint(ROLLOUTS * effort))), players = round.players();
    const Rules& rules = round.rules();
    StateMemory state(round.engine());
    round.engine().load(state.get(), rules, at);
    Rounds played(count, players);
    const RoundResults out = played.results();
    round.engine().rollouts(state.get(), rules, Policy::GREEDY, seed, 0, count, out);
    if (rules.wins_by_ending) return mean_of(count, players, [&](int i) { return int(out.winners[i]); });
    // In a match only the points of this round count, not the totals before it.
    return mean_of(count, players, [&](int i) {
        int most = std::numeric_limits<int>::min(), bits = 0;
        for (int seat = 0; seat < players; seat++) {
            const int before = rules.target ? round.start_ledger().totals[std::size_t(seat)] : 0;
            const int points = out.scores[i * players + seat] - before;
            if (points > most) most = points, bits = 0;
            if (points == most) bits |= 1 << seat;
        }
        return bits;
    });
}

// The mean over all tiles in the pool that may be drawn now.
Shares judge_draw(const Round& round, std::uint64_t seed) {
    const Position before = round.position();
    const int count = before.pool.count;
    const double effort = std::max(0.02, 1.5 / count);
    Shares sum{};
    for (int i = 0; i < count; i++) {
        Position at = before;
        at.pool = {};
        at.pool.add(before.pool.tile[std::size_t(i)]);
        for (int other = 0; other < count; other++)
            if (other != i) at.pool.add(before.pool.tile[std::size_t(other)]);
        StateMemory state(round.engine());
        round.engine().load(state.get(), round.rules(), at);
        PlainMove draw;
        draw.kind = std::uint8_t(MoveKind::DRAW);
        int bonus = 0;
        round.engine().apply(state.get(), round.rules(), draw, &bonus);
        round.engine().dump(state.get(), at);
        const Shares one = judge(round, at, seed + std::uint64_t(i) + 1, effort);
        for (std::size_t seat = 0; seat < one.size(); seat++) sum[seat] += one[seat];
    }
    for (double& part : sum) part /= count;
    return sum;
}

Shares even(int players, int bits) {
    const double each = 1.0 / std::popcount(unsigned(bits));
    Shares out{};
    for (int seat = 0; seat < players; seat++) out[std::size_t(seat)] = bits >> seat & 1 ? each : 0.0;
    return out;
}

// How often greedy players win, counted from the one who starts.
Shares shares_from_start(const Engine& engine, const Rules& rules, int players) {
    static struct {
        Rules rules;
        int players = 0;
        Shares shares{};
    } known;  // the last one: a match asks for every round
    if (known.players == players && known.rules == rules) return known.shares;
    Rounds played(DEALS, players);
    const RoundResults out = played.results();
    engine.playouts(rules, players, Policy::GREEDY, 1, 0, DEALS, out);
    const Shares found = mean_of(DEALS, players, [&](int i) {
        int bits = 0;
        for (int after = 0; after < players; after++)
            bits |= (out.winners[i] >> (out.starter[i] + after) % players & 1) << after;
        return bits;
    });
    known = {rules, players, found};
    return found;
}

// Before the deal. If it is settled who starts, that is no luck.
Shares start_shares(const Round& round) {
    const int players = round.players();
    const Rules& rules = round.rules();
    if (round.start_ledger().round == 1 || rules.next_starter == NextStarter::SET_UP)
        return even(players, (1 << players) - 1);
    const Shares from_start = shares_from_start(round.engine(), rules, players);
    Shares shares{};
    for (int after = 0; after < players; after++)
        shares[std::size_t((round.dealt().starter + after) % players)] = from_start[std::size_t(after)];
    return shares;
}

// --- Decisions -----------------------------------------------------------------------------------

Estimate estimate(const std::vector<PlainMove>& moves, const Candidate& one) {
    const double count = double(std::max<std::int64_t>(1, one.worlds));
    const double margin = double(one.margin) / MARGIN_UNIT / count;
    const double squares = double(one.margin_squared) / (MARGIN_UNIT * MARGIN_UNIT) / count;
    const double spread = std::max(0.0, squares - margin * margin);
    return {moves[std::size_t(one.index)], double(one.win) / WIN_UNIT / count, margin,
            one.exact ? 0.0 : std::sqrt(spread / count), one.exact};
}

// One estimate from parts of equal weight.
Estimate pooled(const std::vector<Estimate>& parts) {
    const auto all = [&](double Estimate::* field) {
        std::vector<double> out;
        for (const Estimate& part : parts) out.push_back(part.*field);
        return out;
    };
    const double count = double(parts.size());
    return {parts[0].move, exact_sum(all(&Estimate::win)) / count, exact_sum(all(&Estimate::margin)) / count,
            length_of(all(&Estimate::error)) / count, parts[0].exact};
}

// Try two moves in new worlds.
void compare(const Round& round, const std::vector<PlainMove>& moves, Effort effort, Rng& dice, Decision& decision) {
    effort.rollouts = std::max<std::int64_t>(2, effort.rollouts / BATCHES);
    effort.endgame_nodes /= BATCHES;
    const std::vector<PlainMove> both{decision.best.move, decision.played.move};
    std::vector<Estimate> best, played;
    std::vector<double> differences;
    for (int i = 0; i < BATCHES; i++) {
        for (const Candidate& one : search(round, effort, dice, nullptr, both)) {
            const Estimate found = estimate(moves, one);
            (found.move == both[0] ? best : played).push_back(found);
        }
        differences.push_back(best.back().win - played.back().win);
    }
    decision.best = pooled(best), decision.played = pooled(played);
    decision.noise = error_of(differences);
}

Mark mark_of(const Decision& decision) {
    const double lost = decision.best.win - decision.played.win;
    // The best move may trade points for a chance to win: no mark if the points disagree.
    if (decision.best.margin - decision.played.margin < -2 * (decision.best.error + decision.played.error))
        return Mark::NONE;
    if (lost < 2 * decision.noise) return Mark::NONE;
    return lost >= BLUNDER      ? Mark::BLUNDER
           : lost >= MISTAKE    ? Mark::MISTAKE
           : lost >= INACCURACY ? Mark::INACCURACY
                                : Mark::NONE;
}

Rng named(const char* what, std::initializer_list<std::int64_t> numbers) {
    std::string text = what;
    for (std::int64_t number : numbers) {
        text += ' ';
        text += std::to_string(number);
    }
    return Rng::named(text.data(), text.size());
}

// Compare a move with the best one; nothing if there was no choice.
std::optional<Decision> decide(const Round& round, const PlainMove& move, Effort effort, Rng dice) {
    const std::vector<PlainMove> moves = round.legal();
    if (moves.size() < 2) return std::nullopt;
    effort.may_draw |= MoveKind(move.kind) == MoveKind::DRAW;
    effort.rollouts = std::max<std::int64_t>(1, effort.rollouts / 2);
    const std::vector<Candidate> found = search(round, effort, dice, &move);
    if (found.size() < 2) return std::nullopt;
    const int index = candidate_of(round, moves, move);
    const auto played =
        std::find_if(found.begin(), found.end(), [&](const Candidate& one) { return one.index == index; });
    if (played == found.end()) return std::nullopt;
    Decision decision;
    decision.best = estimate(moves, found[0]), decision.played = estimate(moves, *played);
    if (played != found.begin() && !(found[0].exact && played->exact)) compare(round, moves, effort, dice, decision);
    decision.mark = mark_of(decision);
    return decision;
}

// --- Chances -------------------------------------------------------------------------------------

double slope_of(const Calibration& map, double left) { return map.slope + map.slope_left * left; }

Shares calibrated(const Calibration& map, const Shares& shares, double left, int players) {
    Shares out{};
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t seat = 0; seat < std::size_t(players); seat++) {
        out[seat] = slope_of(map, left) * std::log(shares[seat] + LEAST) + std::sqrt(left) * map.strengths[seat];
        most = std::max(most, out[seat]);
    }
    for (std::size_t seat = 0; seat < std::size_t(players); seat++) sum += out[seat] = std::exp(out[seat] - most);
    for (double& part : out) part /= sum;
    return out;
}

// The change of the chances by a small change of the shares *at*: linear in it, so that what is expected
// to be no change of the shares is none of the chances.
Shares change(const Calibration& map, const Shares& at, double left, const Shares& from, const Shares& to,
              int players) {
    const Shares now = calibrated(map, at, left, players);
    Shares out{};
    double mean = 0;
    for (std::size_t seat = 0; seat < std::size_t(players); seat++) {
        out[seat] = slope_of(map, left) * (to[seat] - from[seat]) / (at[seat] + LEAST);
        mean += now[seat] * out[seat];
    }
    for (std::size_t seat = 0; seat < std::size_t(players); seat++) out[seat] = now[seat] * (out[seat] - mean);
    return out;
}

}  // namespace

Assessment assess(const Round& round, int number, int ply, const Effort& effort, std::int64_t seed) {
    const int last = int(round.plies().size());
    Round here = round;
    here.undo(last - ply);
    Assessment out;
    if (ply == last) {
        const int winners = here.over() ? here.ledger().end.winners : 0;
        out.shares =
            winners ? even(here.players(), winners) : judge(here, here.position(), std::uint64_t(seed + number), 1);
        return out;
    }
    const PlainMove& move = round.plies()[std::size_t(ply)].move;
    const std::uint64_t dice = std::uint64_t(seed + number) * 1'000'003 + std::uint64_t(ply) * 101;
    // If the only legal move is no draw, it leads to the next position without a choice.
    const std::vector<PlainMove> moves = here.legal();
    const bool forced = moves.size() == 1 && MoveKind(moves[0].kind) != MoveKind::DRAW;
    if (!forced) out.shares = judge(here, here.position(), dice, 1);
    if (MoveKind(move.kind) == MoveKind::DRAW) out.drawn = judge_draw(here, dice);
    out.decision = decide(here, move, effort, named("review", {seed, number, ply}));
    if (out.decision && out.decision->mark != Mark::NONE) {
        Rng why = named("why", {number, ply});
        out.decision->why = facts(here, out.decision->best.move, why);
    }
    return out;
}

Chances chances(const Round& round, const std::vector<Assessment>& found, const Calibration& map) {
    const int players = round.players();
    const std::size_t last = found.size() - 1;
    const bool over = round.over() && round.end().reason != EndReason::ABANDONED && round.ledger().end.winners;
    std::vector<Shares> shares(found.size());
    for (std::size_t i = found.size(); i--;) shares[i] = found[i].shares ? *found[i].shares : shares[i + 1];
    const int tiles = round.dealt().pool.count + players * round.dealt().rack[0].count;
    int laid = 0;
    Chances out;
    const auto add = [&](const Shares& by) {
        for (std::size_t seat = 0; seat < std::size_t(players); seat++) out.luck[seat] += by[seat];
    };
    const Shares start = start_shares(round);
    add(change(map, start, 1, start, shares[0], players));
    for (std::size_t i = 0; i <= last; i++) {
        const double left = double(tiles - laid) / tiles;
        out.after.push_back(over && i == last ? shares[i] : calibrated(map, shares[i], left, players));
        if (i == last) break;
        if (found[i].drawn) add(change(map, shares[i], left, *found[i].drawn, shares[i + 1], players));
        laid += round.plies()[i].kind() == MoveKind::PLACE;
    }
    return out;
}

}  // namespace triomino
