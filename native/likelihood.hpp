// How likely a world makes the placements of the other players, who seldom forgo points.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "convert.hpp"
#include "engine.hpp"
#include "state.hpp"

namespace triomino::TRIOMINO_ARCH {

template <int Tiles>
class Likelihood {
   public:
    using S = State<Tiles>;

    // Replay the board of *base* to find what each tile would have scored at every clue.
    Likelihood(const S& base, const Rules& rules, const SearchLimit& limit) {
        weight_[0] = 1 << 16;
        for (int i = 1; i <= MOST; i++)
            weight_[i] = std::max<std::uint32_t>(1, weight_[i - 1] * std::uint32_t(limit.greed_prior) / 256);
        S board;
        board.clear(2);
        for (int i = 0; i < base.laid; i++) {
            const int tile = base.laid_tile[i], cell = base.laid_cell[i];
            if (!i) {
                lay_first(board, base, tile, cell);
                continue;
            }
            const int slot = board.slot_of[S::cell_index(cell)];
            if (slot >= S::SLOTS || !board.slots_for(tile).has(slot)) return;  // not in order of play
            for (const Clue& clue : limit.clues)
                if (clue.laid == i) add_clue(board, rules, clue, tile, slot);
            board.lay(tile, slot, rules);
        }
    }

    bool has_clues() const { return !losses_.empty(); }

    // Relative to a world in which nobody forwent anything, in 1/65536; never 0.
    std::uint32_t weight(const S& world) const {
        int sum = 0;
        for (const Losses& losses : losses_) {
            // The tiles with the highest losses may have been drawn since: skip one per draw.
            int worst[MOST_DRAWN + 1] = {};
            world.rack[losses.seat].each([&](int tile) {
                int loss = losses.of[std::size_t(tile)];
                for (int i = 0; i <= losses.drawn_since; i++)
                    if (loss > worst[i]) std::swap(loss, worst[i]);
            });
            sum += worst[losses.drawn_since];
        }
        return weight_[std::size_t(std::min(sum, MOST))];
    }

   private:
    // By tile, the points forgone at one clue by a player who held it.
    struct Losses {
        int seat, drawn_since;
        std::array<std::uint8_t, Tiles> of{};
    };

    static void lay_first(S& board, const S& base, int tile, int cell) {
        const auto numbers = numbers_at(base, cell);
        const auto& corners = TABLES<Tiles>.corners[tile];
        int way = 0;
        while (way < 2 && !(corners[way] == numbers[0] && corners[(way + 1) % 3] == numbers[1] &&
                            corners[(way + 2) % 3] == numbers[2]))
            way++;
        board.lay_first(tile, way, cell & 1);
    }

    void add_clue(const S& board, const Rules& rules, const Clue& clue, int tile, int slot) {
        if (clue.drawn_since > MOST_DRAWN) return;
        const auto points = [&](int one, int where) {
            return board.points({Kind::PLACE, std::uint8_t(one), std::uint8_t(where)}, rules);
        };
        const int got = points(tile, slot);
        Losses losses{clue.seat, clue.drawn_since, {}};
        TABLES<Tiles>.all.each([&](int other) {
            int best = got;
            board.slots_for(other).each([&](int where) { best = std::max(best, points(other, where)); });
            losses.of[std::size_t(other)] = std::uint8_t(std::min(best - got, MOST_LOSS));
        });
        losses_.push_back(losses);
    }

    static constexpr int MOST = 255, MOST_LOSS = 60, MOST_DRAWN = 3;
    std::array<std::uint32_t, MOST + 1> weight_{};
    std::vector<Losses> losses_;
};

}  // namespace triomino::TRIOMINO_ARCH
