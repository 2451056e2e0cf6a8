// See evidence.hpp and triomino.worlds, whose names are used here. Compiled for the baseline instruction
// set. Numbers are drawn in the same order as in Python, so that equal dice give equal samples.
#if !defined(TRIOMINO_ARCH)
#define TRIOMINO_ARCH portable
#endif
#include "evidence.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "dice.hpp"
#include "sha256.hpp"
#include "tiles.hpp"

namespace triomino {

namespace {

const auto& TABLE = portable::TABLES<76>;

int rank_of(int tile) { return TABLE.rank[TABLE.of_public[std::size_t(tile)]]; }
int value_of(int tile) { return TABLE.value[TABLE.of_public[std::size_t(tile)]]; }

TileBits operator&(const TileBits& a, const TileBits& b) { return {a[0] & b[0], a[1] & b[1]}; }
TileBits operator^(const TileBits& a, const TileBits& b) { return {a[0] ^ b[0], a[1] ^ b[1]}; }
TileBits operator~(const TileBits& a) { return {~a[0], ~a[1]}; }
bool any(const TileBits& tiles) { return tiles[0] || tiles[1]; }

std::vector<int> tiles_in(const TileBits& tiles) {
    std::vector<int> out;
    for (int tile = 0; tile < MOST_TILES; tile++)
        if (has_tile(tiles, tile)) out.push_back(tile);
    return out;
}

// Whether two sets of laid tiles differ from number *first* on.
bool differ_from(const TileBits& a, const TileBits& b, int first) {
    const TileBits both = a ^ b;
    for (int i = first; i < 128; i++)
        if (has_tile(both, i)) return true;
    return false;
}

// triomino.dice.choose: an index, with probability proportional to its weight.
std::size_t choose(std::span<const Big> weights, Rng& dice) {
    Big total;
    for (const Big& weight : weights) total += weight;
    const int bits = total.bits(), digits = (bits + 31) / 32;
    Big number;
    do {
        number = Big{};
        for (int i = 0; i < digits; i++) number.append(dice.word());
        number.keep(bits);
    } while (!(number < total));
    std::size_t at = 0;
    while (!(number < weights[at])) number -= weights[at++];
    return at;
}

Counts arrived_between(const std::vector<int>& then, const std::vector<int>& now) {
    Counts out(now.size(), '\0');
    for (std::size_t i = 0; i < now.size(); i++) out[i] = char(now[i] - then[i]);
    return out;
}

Counts plus(Counts counts, const Counts& more) {
    for (std::size_t i = 0; i < counts.size(); i++) counts[i] = char(counts[i] + more[i]);
    return counts;
}

Ways arrive(const Ways& ways, const std::vector<int>& then, const std::vector<int>& now) {
    const Counts more = arrived_between(then, now);
    Ways out;
    for (std::size_t i = 0; i < ways.keys().size(); i++) out[plus(ways.keys()[i], more)] = ways.at(i);
    return out;
}

// Whether a player who can place may draw, having drawn so many tiles in this turn.
bool allows_voluntary_draw(const Rules& rules, int drawn) {
    return rules.voluntary_draw == VoluntaryDraw::ALWAYS ||
           (rules.voluntary_draw == VoluntaryDraw::FIRST_ONLY && !drawn);
}

// Whether a move is legal only for a player who cannot place.
bool proves_unable(const Rules& rules, MoveKind kind, bool opening, int drawn, int pool_size) {
    switch (kind) {
        case MoveKind::DRAW: return !opening && !allows_voluntary_draw(rules, drawn);
        case MoveKind::PASS: return pool_size > 0 || !rules.voluntary_pass;
        case MoveKind::END: return rules.must_place_after_last_draw;
        default: return false;
    }
}

}  // namespace

// --- Dice ----------------------------------------------------------------------------------------

Rng Rng::named(const char* text, std::size_t size) {
    const portable::Digest digest = portable::sha256(text, size);
    std::uint64_t state = 0;
    for (int i = 0; i < 8; i++) state = state << 8 | digest[std::size_t(i)];
    return Rng(state);
}

std::uint64_t Rng::bits() {
    portable::Dice dice{state_};
    const std::uint64_t out = dice.bits();
    state_ = dice.state;
    return out;
}

int Rng::below(int stop) {
    portable::Dice dice{state_};
    const int out = int(dice.below(std::uint32_t(stop)));
    state_ = dice.state;
    return out;
}

// --- Ways ----------------------------------------------------------------------------------------

Big& Ways::operator[](const Counts& counts) {
    const auto [at, is_new] = index_.try_emplace(counts, keys_.size());
    if (is_new) {
        keys_.push_back(counts);
        values_.emplace_back();
    }
    return values_[at->second];
}

const Big* Ways::find(const Counts& counts) const {
    const auto at = index_.find(counts);
    return at == index_.end() ? nullptr : &values_[at->second];
}

// --- A hand --------------------------------------------------------------------------------------

void Evidence::Hand::arrive(int slot, bool alone) {
    if (learned || alone) {
        classes.emplace_back();
        classes.back().laid_before = int(lays.size());
    }
    classes.back().slots.push_back(slot);
    learned = false;
}

void Evidence::Hand::holds_none_of(const TileBits& tiles) {
    for (Class& kind : classes) kind.allowed = kind.allowed & ~tiles;
    learned = true;
}

void Evidence::Hand::last_is_in(const TileBits& tiles) {
    classes.back().allowed = classes.back().allowed & tiles;
    learned = true;
}

void Evidence::Hand::lay(int tile) {
    for (Class& kind : classes)
        if (has_tile(kind.allowed, tile)) add_tile(kind.gave, int(lays.size()));
    const std::vector<int>& slots = classes.back().slots;
    lays.push_back({tile, slots.empty() ? -1 : slots.back()});
}

void Evidence::Hand::settle(const TileBits& unseen) {
    std::vector<Class> merged;
    for (Class& later : classes) {
        const auto like = std::find_if(merged.begin(), merged.end(), [&](const Class& kind) {
            return !differ_from(kind.gave, later.gave, later.laid_before) &&
                   !any((kind.allowed ^ later.allowed) & unseen);
        });
        if (like == merged.end())
            merged.push_back(std::move(later));
        else
            like->slots.insert(like->slots.end(), later.slots.begin(), later.slots.end());
    }
    classes = std::move(merged);
    Ways found;
    found[Counts(classes.size(), '\0')] = Big(1);
    std::vector<int> arrived(classes.size(), 0);
    for (std::size_t number = 0; number < lays.size(); number++) {
        const auto [tile, last] = lays[number];
        std::vector<int> now, sources;
        for (std::size_t i = 0; i < classes.size(); i++) {
            const auto& slots = classes[i].slots;
            now.push_back(int(std::upper_bound(slots.begin(), slots.end(), last) - slots.begin()));
            if (has_tile(classes[i].gave, int(number))) sources.push_back(int(i));
        }
        Ways before = triomino::arrive(found, arrived, now);
        found = Ways{};
        arrived = now;
        for (std::size_t at = 0; at < before.keys().size(); at++)
            for (int source : sources) {
                const Counts& counts = before.keys()[at];
                const int held = counts[std::size_t(source)];
                if (!held) continue;
                Counts after = counts;
                after[std::size_t(source)]--;
                Big ways_here = before.at(at);
                ways_here *= std::uint32_t(held);
                found[after] += ways_here;
            }
        laid.push_back({tile, std::move(sources), std::move(now), std::move(before)});
    }
    std::vector<int> all;
    for (const Class& kind : classes) all.push_back(int(kind.slots.size()));
    ways = triomino::arrive(found, arrived, all);
}

// Put the laid tiles into the slots of a random history that ends in *counts*.
void Evidence::Hand::trace(Counts counts, Rng& dice, Slots& filled) const {
    std::vector<int> arrived;
    for (const Class& kind : classes) arrived.push_back(int(kind.slots.size()));
    std::vector<int> source_of(laid.size());
    for (std::size_t step = laid.size(); step-- > 0;) {
        const Laid& one = laid[step];
        const Counts more = arrived_between(one.arrived, arrived);
        for (std::size_t i = 0; i < counts.size(); i++) counts[i] = char(counts[i] - more[i]);
        arrived = one.arrived;
        std::vector<Big> weights;
        for (int source : one.sources) {
            Counts was = counts;
            was[std::size_t(source)]++;
            const Big* number = one.before.find(was);
            Big weight = number ? *number : Big{};
            weight *= std::uint32_t(was[std::size_t(source)]);
            weights.push_back(weight);
        }
        source_of[step] = one.sources[choose(weights, dice)];
        counts[std::size_t(source_of[step])]++;
    }
    for (std::size_t step = 0; step < laid.size(); step++) {
        const Laid& one = laid[step];
        const auto source = std::size_t(source_of[step]);
        std::vector<int> free;
        for (int i = 0; i < one.arrived[source]; i++) {
            const int slot = classes[source].slots[std::size_t(i)];
            if (filled[std::size_t(slot)] < 0) free.push_back(slot);
        }
        filled[std::size_t(free[std::size_t(dice.below(int(free.size())))])] = one.tile;
    }
}

// --- What the moves reveal -----------------------------------------------------------------------

Evidence::Evidence(const Round& round, int seat, const Rules& rules) : round_(round), seat_(seat), rules_(rules) {
    unseen_ = tiles_of(round.rules());
    for (const PlainMove& place : round.board()) remove_tile(unseen_, place.tile);
    for (int tile : round.rack(seat)) remove_tile(unseen_, tile);
    read_history();
    for (Hand& hand : hands_) {
        hand.settle(unseen_);
        possible_ = possible_ && !hand.ways.empty();
    }
    if (!possible_) return;
    for (std::size_t number = 0; number < hands_.size(); number++)
        for (std::size_t i = 0; i < hands_[number].classes.size(); i++)
            order_.push_back({number, int(i), hands_[number].classes[i].allowed & unseen_});
    std::stable_sort(order_.begin(), order_.end(),
                     [](const Group& a, const Group& b) { return count_tiles(a.mask) < count_tiles(b.mask); });
    options_.resize(hands_.size());
    for (std::size_t number = 0; number < hands_.size(); number++) {
        find_options(number);
        possible_ = possible_ && !options_[number].empty();
    }
}

Evidence::Hand* Evidence::hand_of(int seat) {
    const auto found = std::find_if(hands_.begin(), hands_.end(), [&](const Hand& hand) { return hand.seat == seat; });
    return found == hands_.end() ? nullptr : &*found;
}

void Evidence::read_history() {
    TileBits shown{};
    for (const StartDraw& draw : round_.dealt().draws) add_tile(shown, draw.tile);
    for (int seat = 0; seat < round_.players(); seat++) {
        if (seat == seat_) continue;
        Hand hand;
        hand.seat = seat, hand.first = slots_, hand.dealt = round_.dealt().rack[std::size_t(seat)].count;
        hand.classes.emplace_back();
        for (int i = 0; i < hand.dealt; i++) hand.classes[0].slots.push_back(slots_++);
        hand.holds_none_of(shown);
        hands_.push_back(std::move(hand));
    }
    int laid = 0, drawn = 0, pool_size = round_.dealt().pool.count;
    const bool alone = rules_.may_keep || rules_.drawn_only;
    for (const Ply& ply : round_.plies()) {
        const bool drew = ply.kind() == MoveKind::DRAW, placed = ply.kind() == MoveKind::PLACE;
        Hand* owner = hand_of(ply.seat);
        if (owner && !placed) {
            learn(*owner, ply.kind(), laid, drawn, pool_size);
            if (drew) {
                owner->arrive(slots_, alone);
                draws_.push_back({ply.seat, slots_++});
            }
        }
        if (placed) {
            if (!laid) learn_opening(ply.seat, ply.move.tile);
            if (owner) owner->lay(ply.move.tile);
            laid++;
        }
        pool_size -= drew;
        drawn = ply.passes_on ? 0 : drawn + drew;
    }
}

void Evidence::learn(Hand& hand, MoveKind kind, int laid, int drawn, int pool_size) {
    const TileBits& playable = round_.playable(laid);
    if (proves_unable(rules_, kind, !laid, drawn, pool_size)) {
        if (drawn && rules_.drawn_only)
            hand.last_is_in(~playable);
        else
            hand.holds_none_of(playable);
    } else if (kind == MoveKind::KEEP) {
        hand.last_is_in(playable);
    } else if (kind == MoveKind::END && rules_.may_keep) {
        // If it had fitted, the turn would have had to end with a placement or keep.
        hand.last_is_in(~playable);
    }
}

// Learn from a prescribed opening tile that its owner held no better one.
void Evidence::learn_opening(int seat, int tile) {
    if (rules_.starter_free_choice) return;
    if (!value_of(tile) && rules_.triple_zero_start >= 0) return;  // see starts_right
    TileBits better{};
    for (int other : tiles_in(tiles_of(rules_)))
        if (rank_of(other) > rank_of(tile)) add_tile(better, other);
    if (Hand* owner = hand_of(seat)) owner->holds_none_of(better);
    if (starts_by_hand() && !rules_.opening_draw)
        for (Hand& hand : hands_) hand.holds_none_of(better);
}

bool Evidence::starts_by_hand() const { return rules_.starts_by_hand && rules_.next_starter == NextStarter::SET_UP; }

// Whether the hands already reflect everything the start reveals; see starts_right.
bool Evidence::start_is_learned() const {
    const bool forced = !rules_.starter_free_choice && !rules_.opening_draw;
    if (!starts_by_hand() && !forced) return true;
    // Ties between mirror images depend on the order of the racks.
    if (rules_.opening_draw || rules_.starter_free_choice || tile_set(rules_.tiles)->mirrored) return false;
    return opening() && (value_of(opening()->tile) > 0 || rules_.triple_zero_start < 0);
}

// --- Sampling ------------------------------------------------------------------------------------

int Evidence::least(const Hand& hand, const std::vector<int>& indices) const {
    int out = 1 << 20;
    for (const Counts& counts : hand.ways.keys()) {
        int sum = 0;
        for (int i : indices) sum += counts[std::size_t(i)];
        out = std::min(out, sum);
    }
    return out;
}

// Find the compositions of a hand that can be filled, with upper bounds on the ways to do so.
void Evidence::find_options(std::size_t number) {
    struct Own {
        int place, index, allowed;
        std::vector<int> mine;
    };
    std::vector<Own> own;
    for (std::size_t place = 0; place < order_.size(); place++) {
        const Group& group = order_[place];
        if (group.hand != number) continue;
        std::vector<std::vector<int>> inside(hands_.size());
        for (std::size_t i = 0; i < place; i++)
            if (!any(order_[i].mask & ~group.mask)) inside[order_[i].hand].push_back(order_[i].index);
        int others = 0;
        for (std::size_t other = 0; other < hands_.size(); other++)
            if (other != number) others += least(hands_[other], inside[other]);
        own.push_back({int(place), group.index, count_tiles(group.mask) - others, inside[number]});
    }
    const Ways& ways = hands_[number].ways;
    for (std::size_t way = 0; way < ways.keys().size(); way++) {
        const Counts& counts = ways.keys()[way];
        Option option{way, {}, Big(1), {}};
        bool fits = true;
        for (const Own& one : own) {
            int most = one.allowed;
            for (int i : one.mine) most -= counts[std::size_t(i)];
            const int slots = counts[std::size_t(one.index)];
            fits = fits && most >= slots;
            option.most.push_back({one.place, slots, most});
        }
        if (!fits) continue;
        for (const Bound& bound : option.most)
            for (int nth = 0; nth < bound.slots; nth++) option.bound *= std::uint32_t(bound.most - nth);
        option.weight = ways.at(way) * option.bound;
        options_[number].push_back(std::move(option));
    }
}

bool Evidence::plan(OwnedPlan& out) const {
    if ((round_.turn() != seat_ && round_.draws()) || !start_is_learned()) return false;
    if (order_.size() > WorldPlan::MOST_GROUPS) return false;
    for (const Group& group : order_)
        out.plan.group[std::size_t(out.plan.groups++)] = {hands_[group.hand].seat, group.mask};
    out.plan.unseen = unseen_;
    // Pointers into these are kept.
    std::size_t rows = 0;
    for (const auto& options : options_) rows += options.size();
    out.left.reserve(rows), out.most.reserve(rows);
    for (std::size_t number = 0; number < hands_.size(); number++) {
        Big total, end;
        for (const Option& option : options_[number]) total += option.weight;
        const auto seat = std::size_t(hands_[number].seat);
        for (const Option& option : options_[number]) {
            out.left.emplace_back(order_.size(), std::uint8_t{0});
            out.most.emplace_back(order_.size(), 0);
            for (const Bound& bound : option.most) {
                out.left.back()[std::size_t(bound.place)] = std::uint8_t(bound.slots);
                out.most.back()[std::size_t(bound.place)] = bound.most;
            }
            end += option.weight;
            const bool last = !(end < total);
            const std::uint64_t share = Big::share(end, total);
            const std::uint64_t up_to = last ? share : share ? share - 1 : 0;
            out.way[seat].push_back({up_to, out.left.back().data(), out.most.back().data()});
        }
        out.plan.ways[seat] = int(out.way[seat].size());
        out.plan.way[seat] = out.way[seat].data();
    }
    return true;
}

Position Evidence::known() const {
    Position at = round_.position();
    for (int seat = 0; seat < at.players; seat++)
        if (seat != seat_) at.rack[std::size_t(seat)] = {};
    at.pool = {};
    if (round_.turn() != seat_) at.drawn = {};
    return at;
}

Position Evidence::sample(Rng& dice) const {
    Slots slots;
    do {
        slots.assign(std::size_t(slots_), -1);
    } while (!fill(dice, slots) || !starts_right(slots));
    TileBits left = unseen_;
    for (int tile : slots)
        if (has_tile(left, tile)) remove_tile(left, tile);
    std::vector<int> rest = tiles_in(left);
    for (int i = int(rest.size()) - 1; i > 0; i--)
        std::swap(rest[std::size_t(i)], rest[std::size_t(dice.below(i + 1))]);
    Position at = known();
    for (const Hand& hand : hands_) {
        TileList& rack = at.rack[std::size_t(hand.seat)];
        const auto hold = [&](int slot) {
            if (has_tile(unseen_, slots[std::size_t(slot)])) rack.add(slots[std::size_t(slot)]);
        };
        for (int i = 0; i < hand.dealt; i++) hold(hand.first + i);
        for (const auto& [seat, slot] : draws_)
            if (seat == hand.seat) hold(slot);
        if (hand.seat == round_.turn())
            for (int i = 0; i < round_.draws(); i++)
                at.drawn.add(rack.tile[std::size_t(rack.count - round_.draws() + i)]);
    }
    for (int i = 0; i < round_.pool_size(); i++) at.pool.add(rest[std::size_t(i)]);
    return at;
}

// Put a tile into every slot; returns false if the proposal is rejected. A proposal with more ways was
// less likely, so it must be accepted more often.
bool Evidence::fill(Rng& dice, Slots& slots) const {
    TileBits free = unseen_;
    Big chance(1), bound(1);
    for (std::size_t number = 0; number < hands_.size(); number++) {
        std::vector<Big> weights;
        for (const Option& option : options_[number]) weights.push_back(option.weight);
        const Option& option = options_[number][choose(weights, dice)];
        bound = bound * option.bound;
        hands_[number].trace(hands_[number].ways.keys()[option.way], dice, slots);
    }
    for (const Group& group : order_) {
        for (int slot : hands_[group.hand].classes[std::size_t(group.index)].slots) {
            if (slots[std::size_t(slot)] >= 0) continue;
            const std::vector<int> fitting = tiles_in(group.mask & free);
            if (fitting.empty()) {
                const Big none[] = {Big{}, bound};
                choose(none, dice);
                return false;
            }
            chance *= std::uint32_t(fitting.size());
            const int tile = fitting[std::size_t(dice.below(int(fitting.size())))];
            slots[std::size_t(slot)] = tile;
            remove_tile(free, tile);
        }
    }
    Big rest = bound;
    rest -= chance;
    const Big weights[] = {chance, rest};
    return choose(weights, dice) == 0;
}

// Whether these racks make the starter start, and open with the tile it did.
bool Evidence::starts_right(const Slots& slots) const {
    const auto dealt = [&](int seat) {
        std::vector<int> rack;
        const TileList& own = round_.dealt().rack[std::size_t(seat)];
        if (seat == seat_) rack.assign(own.tile.begin(), own.tile.begin() + own.count);
        for (const Hand& hand : hands_)
            if (hand.seat == seat) rack.assign(slots.begin() + hand.first, slots.begin() + hand.first + hand.dealt);
        return rack;
    };
    const auto highest = [](const std::vector<int>& rack) {
        return *std::max_element(rack.begin(), rack.end(), [](int a, int b) { return rank_of(a) < rank_of(b); });
    };
    const int starter = round_.dealt().starter;
    if (starts_by_hand()) {
        int best = -1, holder = 0;
        for (int seat = 0; seat < round_.players(); seat++) {
            const int rank = rank_of(highest(dealt(seat)));
            if (rank > best) best = rank, holder = seat;
        }
        if (holder != starter) return false;
    }
    if (rules_.starter_free_choice || rules_.opening_draw || !opening()) return true;
    const int tile = opening()->tile, best = highest(dealt(starter));
    if (tile == best) return true;
    const bool triple = TABLE.triple[TABLE.of_public[std::size_t(best)]];
    return triple && value_of(best) && rules_.triple_zero_start >= 0 && !value_of(tile);
}

}  // namespace triomino
