// See checks.hpp. Compiled for the baseline instruction set.
#include "checks.hpp"

#include <algorithm>

namespace triomino {

namespace {

// A field that is a member of Rules by itself.
template <auto Member>
void put(Rules& rules, int value) {
    using Field = std::remove_reference_t<decltype(rules.*Member)>;
    rules.*Member = static_cast<Field>(value);
}
template <int Players>
void put_rack(Rules& rules, int value) {
    rules.racks[Players] = value;
}
template <int Count>
void put_hexagon(Rules& rules, int value) {
    rules.hexagon_bonuses[Count - 1] = value;
}

constexpr RuleField FIELDS[] = {
    {"tiles", 1, MOST_TILES, put<&Rules::tiles>},
    {"racks_2", 0, 38, put_rack<2>},
    {"racks_3", 0, 38, put_rack<3>},
    {"racks_4", 0, 38, put_rack<4>},
    {"racks_5", 0, 38, put_rack<5>},
    {"racks_6", 0, 38, put_rack<6>},
    {"starter", 0, 1, put<&Rules::starts_by_hand>},
    {"start_redraw", 0, 1, put<&Rules::all_redraw>},
    {"next_starter", 0, 2, put<&Rules::next_starter>},
    {"opening_draw", 0, 1, put<&Rules::opening_draw>},
    {"starter_free_choice", 0, 1, put<&Rules::starter_free_choice>},
    {"triple_start_bonus", 0, 9999, put<&Rules::triple_start_bonus>},
    {"triple_zero_start", -1, 9999, put<&Rules::triple_zero_start>},
    {"scoring", 0, 1, put<&Rules::scoring>},
    {"placement_sum", 0, 2, put<&Rules::placement_sum>},
    {"bridge_rule", 0, 3, put<&Rules::bridge_rule>},
    {"bridge_bonus", 0, 9999, put<&Rules::bridge_bonus>},
    {"hexagon_1", 0, 9999, put_hexagon<1>},
    {"hexagon_2", 0, 9999, put_hexagon<2>},
    {"hexagon_3", 0, 9999, put_hexagon<3>},
    {"draw_cost", 0, 9999, put<&Rules::draw_cost>},
    {"max_draws", 1, 76, put<&Rules::max_draws>},
    {"draw_ends_turn", 0, 1, put<&Rules::draw_ends_turn>},
    {"no_play_extra", 0, 9999, put<&Rules::no_play_extra>},
    {"no_play_extra_when", 0, 1, put<&Rules::extra_on_last_draw>},
    {"voluntary_draw", 0, 2, put<&Rules::voluntary_draw>},
    {"after_draw_play", 0, 1, put<&Rules::drawn_only>},
    {"must_place_after_last_draw", 0, 1, put<&Rules::must_place_after_last_draw>},
    {"may_keep", 0, 1, put<&Rules::may_keep>},
    {"draw_obligation", 0, 1, put<&Rules::one_then_optional>},
    {"empty_pool_pass", 0, 1, put<&Rules::voluntary_pass>},
    {"empty_pool_penalty", 0, 9999, put<&Rules::empty_pool_penalty>},
    {"out_bonus", 0, 9999, put<&Rules::out_bonus>},
    {"out_takes_opponents", 0, 1, put<&Rules::out_takes_opponents>},
    {"blocked", 0, 5, put<&Rules::blocked>},
    {"blocked_tie", 0, 3, put<&Rules::blocked_tie>},
    {"blocked_when", 0, 1, put<&Rules::all_pass>},
    {"floor_at_zero", 0, 1, put<&Rules::floor_at_zero>},
    {"target", 0, 1'000'000, put<&Rules::target>},
    {"target_test", 0, 1, put<&Rules::reach>},
    {"target_latch", 0, 1, [](Rules& rules, int value) { rules.latch_any_moment = !value; }},
    {"match_tie", 0, 1, put<&Rules::extra_round>},
    {"round_won_by", 0, 1, put<&Rules::wins_by_ending>},
};

// How many tiles of a set have the same value, at most.
int most_alike(const TileSet& set) {
    int count[16] = {};
    for (int i = 0; i < 216; i++) {
        const int a = i / 36, b = i / 6 % 6, c = i % 6;
        const bool first = i <= b * 36 + c * 6 + a && i <= c * 36 + a * 6 + b;
        const bool in_set = std::max({a, b, c}) < set.numbers && (set.mirrored || (a <= b && b <= c));
        if (first && in_set) count[a + b + c]++;
    }
    return *std::max_element(count, count + 16);
}

}  // namespace

std::span<const RuleField> rule_fields() { return FIELDS; }

const char* read_rules(std::span<const std::int64_t> numbers, Rules& rules, const char** wrong) {
    *wrong = nullptr;
    rules = Rules{};
    if (numbers.size() != std::size(FIELDS)) return "there is a number for every field";
    for (std::size_t i = 0; i < numbers.size(); i++) {
        const RuleField& field = FIELDS[i];
        if (numbers[i] < field.least || numbers[i] > field.most) {
            *wrong = field.name;
            return "out of range";
        }
        field.set(rules, int(numbers[i]));
    }
    rules.wins_by_ending = rules.wins_by_ending || !rules.scoring;
    const TileSet* set = tile_set(rules.tiles);
    if (!set) return "there is no set of so many tiles";
    // The draw for the start has to end, so it needs tiles of different values.
    const int alike = most_alike(*set);
    for (int players = 2; players <= MOST_PLAYERS; players++) {
        const int size = rules.racks[std::size_t(players)];
        const int draws = size && !rules.starts_by_hand ? players + alike - 1 : 0;
        if (players * size + draws > rules.tiles) return "too many tiles on the racks";
    }
    return nullptr;
}

const char* check_players(const Rules& rules, int players) {
    if (players < 2 || players > MOST_PLAYERS || !rules.racks[std::size_t(players)])
        return "these rules are not for so many players";
    return nullptr;
}

int tile_showing(int a, int b, int c) {
    static const auto table = [] {
        std::array<std::uint8_t, 216> out{};
        int next = 0;
        for (int i = 0; i < 216; i++) {
            const int x = i / 36, y = i / 6 % 6, z = i % 6;
            if (i <= y * 36 + z * 6 + x && i <= z * 36 + x * 6 + y) {
                out[std::size_t(i)] = out[std::size_t(y * 36 + z * 6 + x)] = out[std::size_t(z * 36 + x * 6 + y)] =
                    std::uint8_t(next++);
            }
        }
        return out;
    }();
    return table[std::size_t(a * 36 + b * 6 + c)];
}

const char* read_move(const MoveNumbers& given, PlainMove& move) {
    move = PlainMove{};
    if (given.kind < 0 || given.kind > 4) return "there is no such kind of move";
    move.kind = std::uint8_t(given.kind);
    if (given.kind) return nullptr;
    const int a = given.a, b = given.b, c = given.c;
    if (std::min({a, b, c}) < 0 || std::max({a, b, c}) > 5 || given.down < 0 || given.down > 1)
        return "there is no such placement";
    move.x = given.x, move.y = given.y, move.down = std::uint8_t(given.down);
    move.numbers = {std::uint8_t(a), std::uint8_t(b), std::uint8_t(c)};
    move.tile = std::uint8_t(tile_showing(a, b, c));
    return nullptr;
}

const char* read_tile(int tile, TileList& tiles) {
    if (tiles.count == MOST_TILES) return "there are more tiles than in any set";
    if (tile < 0 || tile >= MOST_TILES) return "there is no such tile";
    tiles.add(tile);
    return nullptr;
}

const char* read_total(std::int64_t total, std::int32_t& out) {
    if (total > 1'000'000'000 || total < -1'000'000'000) return "a total is too large";
    out = std::int32_t(total);
    return nullptr;
}

const char* check_limit(const SearchLimit& limit) {
    if (limit.plies < 0 || limit.horizon < 0) return "plies and horizon are not negative";
    if (limit.prior_worlds < 0 || limit.prior_worlds > 1000) return "prior_worlds is 0 to 1000";
    for (const Event& event : limit.events)
        if (event.seat < 0 || event.seat >= MOST_PLAYERS || event.kind < 0 || event.kind > 4) return "no such move";
    if (limit.rollouts < 0 || limit.nanoseconds < 0 || (!limit.rollouts && !limit.nanoseconds))
        return "a search needs a number of rollouts or a time";
    return nullptr;
}

}  // namespace triomino
