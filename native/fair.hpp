// The deals of fair/1 (docs/fair.md) and the random numbers of bots, bit for bit as in Python.
#pragma once
#include <cstdio>
#include <utility>

#include "dice.hpp"
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
    char text[200];
    const int size = std::snprintf(text, sizeof text, "%s %s %s%s", first, seed, number, last);
    return sha256(text, std::size_t(size));
}

// triomino.dice.Rng.named("bot", seed, number, seat)
inline Dice bot_dice(const char* seed, const char* number, int seat) {
    const char last[3] = {' ', char('0' + seat), 0};
    const Digest digest = named("bot", seed, number, last);
    std::uint64_t state = 0;
    for (int i = 0; i < 8; i++) state = state << 8 | digest[std::size_t(i)];
    return Dice{state};
}

// The stream that deals a round when the players contribute no seeds.
inline Stream round_stream(const Digest& server, int round, int players) {
    char text[40];
    const int size = std::snprintf(text, sizeof text, "fair/1|%d|%.*s", round, players - 1, ",,,,,");
    return Stream(Hmac(server).of(text, std::size_t(size)));
}

template <class T>
void shuffle(T* items, int count, Stream& dice) {
    for (int i = count - 1; i > 0; i--) std::swap(items[i], items[dice.below(std::uint32_t(i + 1))]);
}

// The seat that draws the highest tile of the pool; ties draw again. The drawn tiles are returned and
// the pool is shuffled.
template <int Tiles>
int draw_for_start(const Rules& rules, int players, std::uint8_t* pool, int left, Stream& dice) {
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
        for (int i = 0; i < number; i++) taken[taken_count++] = pool[i];
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

// triomino.deal.deal; starter is -1 if it is still to be decided.
template <int Tiles>
void fair_deal(State<Tiles>& state, const Rules& rules, int players, Stream& dice, int starter) {
    const auto& table = TABLES<Tiles>;
    const auto& deck = deck_of<Tiles>(rules);
    state.clear(players);
    auto tiles = deck.ascending;
    shuffle(tiles.data(), deck.count, dice);
    const int size = rules.racks[players];
    for (int i = 0; i < players * size; i++) state.give(i / size, tiles[i], rules);
    std::uint8_t* pool = tiles.data() + players * size;
    const int left = deck.count - players * size;
    if (starter < 0 && rules.starts_by_hand) {
        int best = -1;
        for (int seat = 0; seat < players; seat++)
            for (int i = 0; i < size; i++)
                if (table.rank[tiles[seat * size + i]] > best)
                    best = table.rank[tiles[seat * size + i]], starter = seat;
    } else if (starter < 0) {
        starter = draw_for_start<Tiles>(rules, players, pool, left, dice);
    }
    for (int i = 0; i < left; i++) state.pool[i] = pool[i];
    state.pool_end = std::uint8_t(left);
    state.starter = state.turn = std::uint8_t(starter);
}

}  // namespace triomino::TRIOMINO_ARCH
