// How well a world explains what the others placed: who could have had more points seldom forwent
// them.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "engine.hpp"
#include "plain.hpp"
#include "state.hpp"

namespace triomino::TRIOMINO_ARCH {

template <int Tiles>
class Suspicion {
   public:
    using S = State<Tiles>;

    // The board of *base* is laid again, to see what every tile would have brought when it counted.
    Suspicion(const S& base, const Rules& rules, const SearchLimit& limit) {
        weight_[0] = 1 << 16;
        for (int i = 1; i <= MOST; i++) weight_[i] = std::max<std::uint32_t>(1, weight_[i - 1] * std::uint32_t(limit.candour) / 256);
        S table;
        table.clear(2);
        for (int i = 0; i < base.laid; i++) {
            const int tile = base.laid_tile[i], cell = base.laid_cell[i];
            if (!i) {
                lay_first(table, base, tile, cell);
                continue;
            }
            const int slot = table.slot_of[S::cell_index(cell)];
            if (slot >= S::SLOTS || !table.slots_for(tile).has(slot)) return;  // not in the order of play
            for (const Clue& clue : limit.clues)
                if (clue.laid == i) note(table, rules, clue, tile, slot);
            table.lay(tile, slot, rules);
        }
    }

    bool any() const { return !losses_.empty(); }

    // In 1/65536 of a world in which nobody forwent anything, and never 0.
    std::uint32_t weight(const S& world) const {
        int sum = 0;
        for (const Losses& losses : losses_) {
            // The worst may have been drawn since.
            int worst[MOST_SINCE + 1] = {};
            world.rack[losses.seat].each([&](int tile) {
                int loss = losses.of[std::size_t(tile)];
                for (int i = 0; i <= losses.since; i++)
                    if (loss > worst[i]) std::swap(loss, worst[i]);
            });
            sum += worst[losses.since];
        }
        return weight_[std::size_t(std::min(sum, MOST))];
    }

   private:
    struct Losses {
        int seat, since;
        std::array<std::uint8_t, Tiles> of{};
    };

    static void lay_first(S& table, const S& base, int tile, int cell) {
        const auto numbers = numbers_at(base, cell);
        const auto& corners = TABLES<Tiles>.corners[tile];
        int way = 0;
        while (way < 2 && !(corners[way] == numbers[0] && corners[(way + 1) % 3] == numbers[1] && corners[(way + 2) % 3] == numbers[2]))
            way++;
        table.lay_first(tile, way, cell & 1);
    }

    void note(const S& table, const Rules& rules, const Clue& clue, int tile, int slot) {
        if (clue.drawn_since > MOST_SINCE) return;
        const auto points = [&](int one, int where) {
            return table.points({Kind::PLACE, std::uint8_t(one), std::uint8_t(where)}, rules);
        };
        const int got = points(tile, slot);
        Losses losses{clue.seat, clue.drawn_since, {}};
        TABLES<Tiles>.all.each([&](int other) {
            int best = got;
            table.slots_for(other).each([&](int where) { best = std::max(best, points(other, where)); });
            losses.of[std::size_t(other)] = std::uint8_t(std::min(best - got, MOST_LOSS));
        });
        losses_.push_back(losses);
    }

    static constexpr int MOST = 255, MOST_LOSS = 60, MOST_SINCE = 3;
    std::array<std::uint32_t, MOST + 1> weight_{};
    std::vector<Losses> losses_;
};

}  // namespace triomino::TRIOMINO_ARCH
