// The deals of fair/1 (docs/fair.md) and the random numbers of bots, bit for bit as in Python.
#pragma once
#include <cstring>
#include <utility>

#include "dice.hpp"
#include "engine.hpp"
#include "sha256.hpp"
#include "state.hpp"

namespace triomino::TRIOMINO_ARCH {

// triomino.fair.Stream: HMAC in counter mode, read as 32-bit words.
class Stream {
   public:
    explicit Stream(const Digest& key) : hmac_(key) {}
    std::uint32_t below(std::uint32_t stop) {
        const std::uint64_t all = std::uint64_t{1} << 32, limit = all - all % stop;
        for (;;) {
            const std::uint32_t next = word();
            if (next < limit) return next % stop;
        }
    }

   private:
    std::uint32_t word() {
        if (at_ == 32) {
            std::uint8_t count[8];
            for (int i = 0; i < 8; i++) count[i] = std::uint8_t(block_ >> (56 - 8 * i));
            bytes_ = hmac_.of(count, 8);
            block_++;
            at_ = 0;
        }
        at_ += 4;
        return std::uint32_t(bytes_[at_ - 4]) << 24 | std::uint32_t(bytes_[at_ - 3]) << 16 |
               std::uint32_t(bytes_[at_ - 2]) << 8 | bytes_[at_ - 1];
    }

    Hmac hmac_;
    Digest bytes_{};
    std::uint64_t block_ = 0;
    int at_ = 32;
};

// The seed of a name: its parts joined by blanks, hashed.
inline Digest named(const char* first, const char* seed, const char* number, const char* last = "") {
    Sha256 hash;
    hash.add(first, std::strlen(first));
    for (const char* part : {seed, number}) {
        hash.add(" ", 1);
        hash.add(part, std::strlen(part));
    }
    hash.add(last, std::strlen(last));
    return hash.digest();
}

// triomino.dice.Rng.named("bot", seed, number, seat)
inline Dice bot_dice(const char* seed, const char* number, int seat) {
    const char last[3] = {' ', char('0' + seat), 0};
    const Digest digest = named("bot", seed, number, last);
    std::uint64_t state = 0;
    for (int i = 0; i < 8; i++) state = state << 8 | digest[std::size_t(i)];
    return Dice{state};
}

// The key of the stream that deals a round of fair/1; *players* are their seeds, joined by commas.
inline Digest round_key(const Digest& server, int round, const char* players, std::size_t size) {
    char digits[12];
    int count = 0;
    for (int left = round; left || !count; left /= 10) digits[count++] = char('0' + left % 10);
    std::reverse(digits, digits + count);
    Hmac::Message message = Hmac(server).begin();
    message.add("fair/1|", 7);
    message.add(digits, std::size_t(count));
    message.add("|", 1);
    message.add(players, size);
    return message.end();
}

// The stream that deals a round when the players contribute no seeds.
inline Stream round_stream(const Digest& server, int round, int players) {
    return Stream(round_key(server, round, ",,,,,", std::size_t(players - 1)));
}

template <class T>
void shuffle(T* items, int count, Stream& dice) {
    for (int i = count - 1; i > 0; i--) std::swap(items[i], items[dice.below(std::uint32_t(i + 1))]);
}

// The seat that draws the highest tile of the pool; ties draw again. The drawn tiles are returned and
// the pool is shuffled. *draws* gets them all, if it is given.
template <int Tiles>
int draw_for_start(const Rules& rules, int players, std::uint8_t* pool, int left, Stream& dice,
                   std::vector<StartDraw>* draws) {
    std::uint8_t taken[Tiles];
    int taken_count = 0, starter = -1;
    const auto put_back = [&] {
        for (int i = 0; i < taken_count; i++) pool[left + i] = taken[i];
        left += taken_count;
        taken_count = 0;
        shuffle(pool, left, dice);
    };
    int seats[MOST_PLAYERS], number = players;
    for (int seat = 0; seat < players; seat++) seats[seat] = seat;
    while (starter < 0) {
        if (number > left) put_back();
        int best = -1, tied[MOST_PLAYERS], tied_count = 0;
        for (int i = 0; i < number; i++) {
            const int value = TABLES<Tiles>.value[pool[i]];
            if (value > best) best = value, tied_count = 0;
            if (value == best) tied[tied_count++] = seats[i];
        }
        for (int i = 0; i < number; i++) {
            taken[taken_count++] = pool[i];
            if (draws) draws->push_back({seats[i], TABLES<Tiles>.public_index[pool[i]]});
        }
        left -= number;
        for (int i = 0; i < left; i++) pool[i] = pool[i + number];
        if (tied_count == 1) {
            starter = tied[0];
        } else if (!rules.all_redraw) {
            number = tied_count;
            for (int i = 0; i < number; i++) seats[i] = tied[i];
        }
    }
    put_back();
    return starter;
}

// triomino.deal.deal: the racks, then the pool, in the order they were dealt; returns the starter, which
// is given unless it is still to be decided (-1).
template <int Tiles>
int deal_tiles(std::array<std::uint8_t, Tiles>& tiles, const Rules& rules, int players, Stream& dice, int starter,
               std::vector<StartDraw>* draws = nullptr) {
    const auto& deck = deck_of<Tiles>(rules);
    tiles = deck.ascending;
    shuffle(tiles.data(), deck.count, dice);
    if (starter >= 0) return starter;
    const int dealt = players * rules.racks[players];
    if (!rules.starts_by_hand)
        return draw_for_start<Tiles>(rules, players, tiles.data() + dealt, deck.count - dealt, dice, draws);
    int best = -1;
    for (int i = 0; i < dealt; i++) {
        const int rank = TABLES<Tiles>.rank[tiles[i]];
        if (rank > best) best = rank, starter = i / rules.racks[players];
    }
    return starter;
}

template <int Tiles>
void fair_deal(State<Tiles>& state, const Rules& rules, int players, Stream& dice, int starter) {
    std::array<std::uint8_t, Tiles> tiles;
    starter = deal_tiles<Tiles>(tiles, rules, players, dice, starter);
    state.clear(players);
    const int size = rules.racks[players], dealt = players * size, count = deck_of<Tiles>(rules).count;
    for (int i = 0; i < dealt; i++) state.give(i / size, tiles[i], rules);
    for (int i = dealt; i < count; i++) state.pool[i - dealt] = tiles[i];
    state.pool_end = std::uint8_t(count - dealt);
    state.starter = state.turn = std::uint8_t(starter);
}

}  // namespace triomino::TRIOMINO_ARCH
