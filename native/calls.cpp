// See calls.hpp. No rule is decided here. Compiled for the baseline instruction set.
#if !defined(TRIOMINO_ARCH)
#define TRIOMINO_ARCH portable
#endif
#include "calls.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>

#include "checks.hpp"
#include "fair.hpp"
#include "review.hpp"
#include "thinking.hpp"

namespace triomino {

namespace {

using Numbers = std::vector<std::int32_t>;

constexpr std::size_t MOST_MATCHES = 64;  // open at once
constexpr int MOST_LAID = 4096;           // tiles that the referee looks at
constexpr int MOST_SAMPLES = 100'000;
constexpr int MOST_ROUNDS = 1000;            // of a recorded match
constexpr int MOST_DRAWS = 1000;             // for its start
constexpr std::int32_t MOST_TEXT = 300'000;  // bytes

std::array<std::unique_ptr<Match>, MOST_MATCHES> matches;

// Reads the numbers of a call. After a refusal everything read is 0, and the caller asks once at the end.
class Reader {
   public:
    explicit Reader(std::span<const std::int32_t> numbers) : numbers_(numbers) {}

    std::int32_t next() {
        if (at_ == numbers_.size()) refuse("a number is missing");
        return why_ ? 0 : numbers_[at_++];
    }
    std::int32_t between(std::int32_t least, std::int32_t most) {
        const std::int32_t number = next();
        if (number < least || number > most) refuse("a number is out of range");
        return why_ ? std::max(least, std::int32_t{0}) : number;
    }
    bool flag() { return between(0, 1) != 0; }
    std::uint64_t wide() {
        const auto low = std::uint32_t(next()), high = std::uint32_t(next());
        return std::uint64_t{high} << 32 | low;
    }
    Rng dice() { return Rng(wide()); }
    double real() {
        const double number = std::bit_cast<double>(wide());
        if (!std::isfinite(number)) refuse("a number is not finite");
        return why_ ? 0 : number;
    }
    Shares shares(int players) {
        Shares out{};
        for (int seat = 0; seat < players; seat++) out[std::size_t(seat)] = real();
        return out;
    }
    std::optional<Shares> shares_if_any(int players) { return flag() ? std::optional(shares(players)) : std::nullopt; }
    Effort effort() {
        Effort effort;
        effort.rollouts = std::int64_t(wide()), effort.nanoseconds = std::int64_t(wide());
        effort.may_draw = flag();
        effort.forced_draw_prior = next(), effort.win_weight = next();
        effort.endgame_nodes = next(), effort.endgame_pool = next();
        effort.judges = flag(), effort.horizon = next();
        effort.greedy_rivals = flag(), effort.prior_worlds = next(), effort.plies = next();
        refuse(check_effort(effort));
        return effort;
    }
    std::vector<char> text() {
        std::vector<char> out(std::size_t(between(0, MOST_TEXT)));
        for (char& byte : out) byte = char(between(0, 255));
        return out;
    }
    Rules rules() {
        std::vector<std::int64_t> fields;
        for (std::size_t i = 0; i < rule_fields().size(); i++) fields.push_back(next());
        Rules rules;
        const char* wrong = nullptr;
        if (const char* why = read_rules(fields, rules, &wrong)) refuse(why, wrong);
        return why_ ? Rules{} : rules;
    }
    int players(const Rules& rules) {
        const int players = next();
        refuse(check_players(rules, players));
        return why_ ? 2 : players;
    }
    PlainMove move() {
        PlainMove out;
        MoveNumbers given{};
        given.kind = next(), given.x = next(), given.y = next(), given.down = next();
        given.a = next(), given.b = next(), given.c = next();
        refuse(read_move(given, out));
        return out;
    }
    portable::Digest digest() {
        portable::Digest out;
        for (auto& byte : out) byte = std::uint8_t(between(0, 255));
        return out;
    }
    TileList tiles() {
        TileList out;
        const int count = between(0, MOST_TILES);
        for (int i = 0; i < count; i++) refuse(read_tile(next(), out));
        return out;
    }
    MatchSeeds seeds() {
        MatchSeeds out;
        out.server = digest();
        out.players = text();
        return out;
    }
    Match* match() {
        const auto handle = std::size_t(between(0, std::int32_t(MOST_MATCHES) - 1));
        if (!matches[handle]) refuse("there is no such match");
        return why_ ? nullptr : matches[handle].get();
    }
    // The number of a round, from 1.
    int round(const Match* match) { return between(1, match ? int(match->rounds().size()) : 1); }
    Round* running(Match* match) {
        if (match && match->game().over()) refuse("the round is over");
        return why_ ? nullptr : &match->game();
    }
    // The last thing that is read.
    bool done() {
        if (!why_ && at_ != numbers_.size()) refuse("there are more numbers than needed");
        return !why_;
    }
    void refuse(const char* why, const char* about = nullptr) {
        if (!why_ && why) why_ = why, about_ = about;
    }
    Numbers refusal() const {
        Numbers out{1};
        for (const char* text : {about_ ? about_ : "", about_ ? " is " : "", why_})
            for (; *text; text++) out.push_back(std::uint8_t(*text));
        return out;
    }

   private:
    std::span<const std::int32_t> numbers_;
    std::size_t at_ = 0;
    const char* why_ = nullptr;
    const char* about_ = nullptr;
};

// Writes an answer.
class Writer {
   public:
    void add(std::int64_t number) { out.push_back(std::int32_t(number)); }
    void wide(std::uint64_t number) { add(std::int32_t(number)), add(std::int32_t(number >> 32)); }
    void dice(Rng& dice) { wide(*dice.state()); }
    void real(double number) { wide(std::bit_cast<std::uint64_t>(number)); }
    void shares(const Shares& parts, int players) {
        for (int seat = 0; seat < players; seat++) real(parts[std::size_t(seat)]);
    }
    void shares_if_any(const std::optional<Shares>& parts, int players) {
        add(parts.has_value());
        if (parts) shares(*parts, players);
    }
    void facts(const std::vector<Fact>& found) {
        add(std::int64_t(found.size()));
        for (const Fact& fact : found)
            for (int number :
                 {int(fact.kind), fact.points, fact.part, fact.whole, int(fact.bonus), fact.count, fact.number})
                add(number);
    }
    void move(const PlainMove& move) {
        add(move.kind), add(move.x), add(move.y), add(move.down);
        for (auto number : move.numbers) add(number);
    }
    void seats(const Seats& values, int players) {
        for (int seat = 0; seat < players; seat++) add(values[std::size_t(seat)]);
    }
    void tiles(const TileList& list) {
        add(list.count);
        for (int i = 0; i < list.count; i++) add(list.tile[std::size_t(i)]);
    }
    void scores(const std::vector<Score>& list) {
        add(std::int64_t(list.size()));
        for (const Score& score : list) add(score.seat), add(int(score.reason)), add(score.points);
    }
    void draws(const std::vector<StartDraw>& list) {
        add(std::int64_t(list.size()));
        for (const StartDraw& draw : list) add(draw.seat), add(draw.tile);
    }
    Numbers out{0};
};

// --- Matches -------------------------------------------------------------------------------------

// Begin a match dealt by *deals*, which are seeds or the deals themselves.
template <class Deals>
Numbers open_with(Reader& in, const Rules& rules, int players, const Deals& deals) {
    const auto free = std::find(matches.begin(), matches.end(), nullptr);
    if (free == matches.end()) in.refuse("too many matches are open");
    if (!in.done()) return in.refusal();
    *free = std::make_unique<Match>(rules, players, deals);
    Writer out;
    out.add(free - matches.begin());
    return out.out;
}

Numbers open(Reader& in) {
    const Rules rules = in.rules();
    const int players = in.players(rules);
    return open_with(in, rules, players, in.seeds());
}

Numbers open_dealt(Reader& in) {
    const Rules rules = in.rules();
    const int players = in.players(rules);
    std::vector<Dealt> deals(std::size_t(in.between(1, MOST_ROUNDS)));
    for (Dealt& dealt : deals) {
        dealt.starter = in.between(0, players - 1);
        dealt.draws.resize(std::size_t(in.between(0, MOST_DRAWS)));
        for (StartDraw& draw : dealt.draws) {
            draw.seat = in.between(0, players - 1);
            draw.tile = std::uint8_t(in.between(0, MOST_TILES - 1));
        }
        for (int seat = 0; seat < players; seat++) dealt.rack[std::size_t(seat)] = in.tiles();
        dealt.pool = in.tiles();
        in.refuse(check_deal(rules, players, dealt));
    }
    return open_with(in, rules, players, deals);
}

Numbers close(Reader& in) {
    const auto handle = std::size_t(in.between(0, std::int32_t(MOST_MATCHES) - 1));
    if (!in.done()) return in.refusal();
    matches[handle].reset();
    return {0};
}

Numbers standing(Reader& in) {
    const Match* match = in.match();
    if (!in.done()) return in.refusal();
    const Ledger& ledger = match->game().ledger();
    Writer out;
    out.add(match->players());
    out.add(std::int64_t(match->rounds().size()));
    out.add(ledger.is_over());
    out.add(ledger.rules.target && ledger.is_last_round());
    out.add(ledger.winners());
    out.add(ledger.next_starter());
    out.seats(ledger.totals, match->players());
    return out.out;
}

Numbers round(Reader& in) {
    const Match* match = in.match();
    const int number = in.round(match);
    if (!in.done()) return in.refusal();
    const Round& here = match->rounds()[std::size_t(number - 1)];
    Writer out;
    out.add(here.players()), out.add(here.dealt().starter), out.add(here.turn());
    out.add(here.draws()), out.add(std::int64_t(here.plies().size()));
    out.seats(here.start_ledger().totals, here.players());
    out.seats(here.ledger().totals, here.players());
    out.draws(here.dealt().draws);
    for (int seat = 0; seat < here.players(); seat++) out.tiles(here.dealt().rack[std::size_t(seat)]);
    out.tiles(here.dealt().pool);
    for (int seat = 0; seat < here.players(); seat++) {
        out.add(std::int64_t(here.rack(seat).size()));
        for (int tile : here.rack(seat)) out.add(tile);
    }
    out.add(here.pool_size());
    out.add(int(here.end().reason)), out.add(here.end().seats), out.add(here.ledger().end.winners);
    out.scores(here.end().scores);
    return out.out;
}

Numbers plies(Reader& in) {
    const Match* match = in.match();
    const int number = in.round(match);
    const int first = in.between(0, 1 << 20);
    if (!in.done()) return in.refusal();
    const std::vector<Ply>& all = match->rounds()[std::size_t(number - 1)].plies();
    Writer out;
    out.add(std::max<std::int64_t>(0, std::int64_t(all.size()) - first));
    for (std::size_t i = std::size_t(first); i < all.size(); i++) {
        out.add(all[i].seat), out.move(all[i].move), out.add(all[i].tile), out.add(all[i].passes_on);
        out.scores(all[i].scores);
    }
    return out.out;
}

Numbers choices(Reader& in) {
    const Match* match = in.match();
    if (!in.done()) return in.refusal();
    Writer out;
    const std::vector<Choice> list = match->game().choices();
    out.add(std::int64_t(list.size()));
    for (const Choice& choice : list) out.move(choice.move), out.add(choice.points), out.add(int(choice.bonus));
    return out.out;
}

Numbers why_not(Reader& in) {
    const Match* match = in.match();
    const PlainMove move = in.move();
    if (!in.done()) return in.refusal();
    return {0, std::int32_t(match->game().why_not(move))};
}

Numbers play(Reader& in) {
    Match* match = in.match();
    const PlainMove move = in.move();
    if (!in.done()) return in.refusal();
    return {0, std::int32_t(match->game().play(move))};
}

Numbers undo(Reader& in) {
    Match* match = in.match();
    const int count = in.next();
    if (!in.done()) return in.refusal();
    if (!match->game().undo(count)) {
        in.refuse("there are fewer moves to take back");
        return in.refusal();
    }
    return {0};
}

Numbers next_round(Reader& in) {
    Match* match = in.match();
    if (!in.done()) return in.refusal();
    if (!match->next_round()) {
        in.refuse("no round follows now");
        return in.refusal();
    }
    return {0};
}

Numbers abandon(Reader& in) {
    Match* match = in.match();
    const int seat = in.between(-1, match ? match->players() - 1 : 0);
    Round* round = in.running(match);
    if (!in.done()) return in.refusal();
    round->abandon(seat);
    return {0};
}

Numbers winners_with(Reader& in) {
    const Match* match = in.match();
    Seats head_start{};
    for (int seat = 0; match && seat < match->players(); seat++)
        in.refuse(read_total(in.next(), head_start[std::size_t(seat)]));
    if (!in.done()) return in.refusal();
    return {0, match->game().ledger().winners_with(head_start)};
}

// --- Thinking ------------------------------------------------------------------------------------

Numbers sample(Reader& in) {
    Match* match = in.match();
    const Round* round = in.running(match);
    const int seat = in.between(0, match ? match->players() - 1 : 0);
    Rng dice = in.dice();
    const int count = in.between(0, MOST_SAMPLES);
    if (!in.done()) return in.refusal();
    const Sampler sampler(*round, seat);
    std::vector<Position> found(static_cast<std::size_t>(count));
    for (Position& at : found) round->engine().dump(sampler.sample(dice).get(), at);
    Writer out;
    out.dice(dice);
    for (const Position& at : found) {
        for (int other = 0; other < at.players; other++) out.tiles(at.rack[std::size_t(other)]);
        out.tiles(at.pool), out.tiles(at.drawn);
    }
    return out.out;
}

Numbers search_moves(Reader& in) {
    Match* match = in.match();
    const Round* round = in.running(match);
    const Effort effort = in.effort();
    Rng dice = in.dice();
    const bool keeps = in.flag();
    const PlainMove keep = in.move();
    if (round && keeps && round->why_not(keep) != Why::NONE) in.refuse("the move to keep is not legal");
    if (!in.done()) return in.refusal();
    const std::vector<PlainMove> moves = round->legal();
    const std::vector<Candidate> found = search(*round, effort, dice, keeps ? &keep : nullptr);
    Writer out;
    out.dice(dice);
    out.add(std::int64_t(found.size()));
    for (const Candidate& one : found) {
        out.move(moves[std::size_t(one.index)]);
        for (std::int64_t sum : {one.worlds, one.win, one.margin, one.margin_squared}) out.wide(std::uint64_t(sum));
        out.add(one.exact);
    }
    return out.out;
}

Numbers choose(Reader& in) {
    Match* match = in.match();
    const Round* round = in.running(match);
    const auto level = Level(in.between(0, int(Level::CHAMPION)));
    Rng dice = in.dice();
    const auto rollouts = std::int64_t(in.wide()), nanoseconds = std::int64_t(in.wide());
    if (!in.done()) return in.refusal();
    const PlainMove move = choose_move(*round, level, dice, rollouts, nanoseconds);
    Writer out;
    out.dice(dice);
    out.move(move);
    return out.out;
}

Numbers facts_of(Reader& in) {
    Match* match = in.match();
    const Round* round = in.running(match);
    Rng dice = in.dice();
    const PlainMove move = in.move();
    if (round && round->why_not(move) != Why::NONE) in.refuse("the move is not legal");
    if (!in.done()) return in.refusal();
    const std::vector<Fact> found = facts(*round, move, dice);
    Writer out;
    out.dice(dice);
    out.facts(found);
    return out.out;
}

// --- The review of a match -----------------------------------------------------------------------

Numbers assess_ply(Reader& in) {
    const Match* match = in.match();
    const int number = in.round(match);
    const Round* round = match ? &match->rounds()[std::size_t(number - 1)] : nullptr;
    const int ply = in.between(0, round ? int(round->plies().size()) : 0);
    const Effort effort = in.effort();
    const int seed = in.between(0, 1 << 30);
    if (!effort.rollouts) in.refuse("a review needs a number of rollouts");
    if (!in.done()) return in.refusal();
    const Assessment found = assess(*round, number - 1, ply, effort, seed);
    Writer out;
    out.shares_if_any(found.shares, round->players());
    out.shares_if_any(found.drawn, round->players());
    out.add(found.decision.has_value());
    if (!found.decision) return out.out;
    for (const Estimate* one : {&found.decision->played, &found.decision->best}) {
        out.move(one->move);
        out.real(one->win), out.real(one->margin);
    }
    out.real(found.decision->noise);
    out.add(int(found.decision->mark));
    out.facts(found.decision->why);
    return out.out;
}

Numbers chances_of(Reader& in) {
    const Match* match = in.match();
    const int number = in.round(match);
    const Round* round = match ? &match->rounds()[std::size_t(number - 1)] : nullptr;
    const int players = match ? match->players() : 2;
    Calibration map;
    map.slope = in.real(), map.slope_left = in.real();
    map.strengths = in.shares(players);
    std::vector<Assessment> found(round ? round->plies().size() + 1 : 1);
    for (Assessment& one : found) one.shares = in.shares_if_any(players), one.drawn = in.shares_if_any(players);
    if (!found.back().shares) in.refuse("the last position has shares");
    if (!in.done()) return in.refusal();
    const Chances chances = triomino::chances(*round, found, map);
    Writer out;
    for (const Shares& now : chances.after) out.shares(now, players);
    out.shares(chances.luck, players);
    return out.out;
}

// --- Without a match -----------------------------------------------------------------------------

// The board that a case of the referee shows.
Board board_of(Reader& in, bool strict) {
    Board board;
    const int count = in.between(0, MOST_LAID);
    for (int i = 0; i < count; i++) in.refuse(board.lay(in.move(), !strict));
    return board;
}

Numbers judge(Reader& in) {
    const Rules rules = in.rules();
    const bool strict = in.flag();
    const Board board = board_of(in, strict);
    const PlainMove place = in.move();
    if (place.kind) in.refuse("only placements are judged");
    if (!in.done()) return in.refusal();
    Why why = Why::NONE;
    if (!has_tile(tiles_of(rules), place.tile))
        why = Why::NOT_IN_SET;
    else if (strict && has_tile(board.laid(), place.tile))
        why = Why::ALREADY_LAID;
    else
        why = board.why_not(place);
    const int value = place.numbers[0] + place.numbers[1] + place.numbers[2];
    const bool counts = why == Why::NONE && rules.scoring;
    const Bonus bonus = counts ? board.bonus(place, rules) : Bonus::NONE;
    const bool triple = place.numbers[0] == place.numbers[1] && place.numbers[1] == place.numbers[2];
    const int points = counts ? placement_points(rules, value, triple, bonus, board.empty()) : 0;
    return {0, int(why), value, int(bonus), points};
}

Numbers placements(Reader& in) {
    const Rules rules = in.rules();
    const bool strict = in.flag();
    const Board board = board_of(in, strict);
    const TileList wanted = in.tiles();
    if (!in.done()) return in.refusal();
    TileBits tiles{};
    for (int i = 0; i < wanted.count; i++) {
        const int tile = wanted.tile[std::size_t(i)];
        if (has_tile(tiles_of(rules), tile) && !(strict && has_tile(board.laid(), tile))) add_tile(tiles, tile);
    }
    Writer out;
    const std::vector<PlainMove> found = board.placements(tiles);
    out.add(std::int64_t(found.size()));
    for (const PlainMove& place : found) out.move(place);
    return out.out;
}

Numbers deal(Reader& in) {
    const Rules rules = in.rules();
    const int players = in.players(rules), starter = in.between(-1, players - 1);
    const portable::Digest key = in.digest();
    if (!in.done()) return in.refusal();
    Dealt dealt;
    engine(rules.tiles).deal(rules, players, key, starter, dealt);
    Writer out;
    out.add(dealt.starter);
    out.draws(dealt.draws);
    for (int seat = 0; seat < players; seat++) out.tiles(dealt.rack[std::size_t(seat)]);
    out.tiles(dealt.pool);
    return out.out;
}

Numbers hash(Reader& in) {
    const std::vector<char> bytes = in.text();
    if (!in.done()) return in.refusal();
    Writer out;
    for (auto byte : portable::sha256(bytes.data(), bytes.size())) out.add(byte);
    return out.out;
}

Numbers key_of_round(Reader& in) {
    const int round = in.between(1, 1'000'000);
    const MatchSeeds seeds = in.seeds();
    if (!in.done()) return in.refusal();
    Writer out;
    for (auto byte : portable::round_key(seeds.server, round, seeds.players.data(), seeds.players.size()))
        out.add(byte);
    return out.out;
}

Numbers read_network(Reader& in) {
    const std::vector<char> bytes = in.text();
    if (!in.done()) return in.refusal();
    if (const char* why = set_network(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size())) {
        in.refuse(why);
        return in.refusal();
    }
    return {0};
}

}  // namespace

std::vector<std::int32_t> call(Call what, std::span<const std::int32_t> numbers) {
    Reader in(numbers);
    switch (what) {
        case Call::OPEN: return open(in);
        case Call::CLOSE: return close(in);
        case Call::MATCH: return standing(in);
        case Call::ROUND: return round(in);
        case Call::PLIES: return plies(in);
        case Call::CHOICES: return choices(in);
        case Call::WHY_NOT: return why_not(in);
        case Call::PLAY: return play(in);
        case Call::UNDO: return undo(in);
        case Call::NEXT_ROUND: return next_round(in);
        case Call::ABANDON: return abandon(in);
        case Call::WINNERS_WITH: return winners_with(in);
        case Call::SAMPLE: return sample(in);
        case Call::SEARCH: return search_moves(in);
        case Call::CHOOSE: return choose(in);
        case Call::FACTS: return facts_of(in);
        case Call::JUDGE: return judge(in);
        case Call::PLACEMENTS: return placements(in);
        case Call::DEAL: return deal(in);
        case Call::SHA256: return hash(in);
        case Call::ROUND_KEY: return key_of_round(in);
        case Call::NETWORK: return read_network(in);
        case Call::OPEN_DEALT: return open_dealt(in);
        case Call::ASSESS: return assess_ply(in);
        case Call::CHANCES: return chances_of(in);
    }
    in.refuse("there is no such call");
    return in.refusal();
}

}  // namespace triomino
