// See batch.hpp. Like engine.cpp, compiled once for every instruction set, each time in its own namespace.
#include "batch.hpp"

#include <cstring>

#include "convert.hpp"
#include "playout.hpp"

namespace triomino::TRIOMINO_ARCH {

// The open cells of a state in the order of their ranks.
template <int Tiles>
struct OpenCells {
    using S = State<Tiles>;
    static constexpr int SLOTS = S::SLOTS;
    alignas(64) std::uint8_t pattern[SLOTS];  // NOTHING from count on
    std::uint8_t slot[SLOTS];
    std::int16_t cell[SLOTS];  // ascending
    int count;

    void clear() {
        fill<SLOTS>(pattern, S::NOTHING);
        count = 0;
    }
    void remove(int rank) {
        count--;
        for (int i = rank; i < count; i++) cell[i] = cell[i + 1], slot[i] = slot[i + 1];
    }
    // The rank of a cell; *known* if it was open already, else it is inserted.
    int insert(int number, int at, bool& known) {
        int rank = 0;
        for (int i = 0; i < count; i++) rank += cell[i] < number;
        known = rank < count && cell[rank] == number;
        if (!known) {
            for (int i = count; i > rank; i--) cell[i] = cell[i - 1], slot[i] = slot[i - 1];
            cell[rank] = std::int16_t(number);
            count++;
        }
        slot[rank] = std::uint8_t(at);
        return rank;
    }
    // After slots were inserted or removed, or their patterns changed.
    void read_patterns(const S& state) {
        for (int i = 0; i < count; i++) pattern[i] = state.pattern_at[slot[i]];
        pattern[count] = S::NOTHING;
        if (count + 1 < SLOTS) pattern[count + 1] = S::NOTHING;
    }
    void read(const S& state) {
        clear();
        bool known;
        state.open.each([&](int at) { insert(cell_of(state.spot[at]), at, known); });
        read_patterns(state);
    }
};

// Write the legal actions in ascending order and return their number.
template <int Tiles>
int list_actions(const State<Tiles>& state, const OpenCells<Tiles>& open, const Deck<Tiles>& deck, const Rules& rules,
                 std::int16_t* out) {
    using S = State<Tiles>;
    if (state.over()) return 0;
    const auto tiles = state.candidates(rules) & state.playable();
    const bool able = tiles.any();
    const std::int16_t* const first = out;
    if (state.may_draw(rules, able)) *out++ = 0;
    if (state.may_keep(rules)) *out++ = 1;
    if (state.may_end(rules, able)) *out++ = 2;
    if (state.may_pass(rules, able)) *out++ = 3;
    Mask<Set<Tiles>::WORDS> ordered;
    tiles.each([&](int tile) { ordered.add(deck.place[tile]); });
    const int width = deck.count + 2;
    ordered.each([&](int place) {
        const int tile = deck.ascending[place], base = SPECIAL_ACTIONS + place * width;
        if (state.laid) [[likely]] {
            any_of<S::SLOTS>(open.pattern, S::TABLE.patterns[tile]).each([&](int rank) {
                *out++ = std::int16_t(base + rank);
            });
        } else {
            for (int way = 0; way < (S::TABLE.triple[tile] ? 1 : 3); way++) *out++ = std::int16_t(base + way);
        }
    });
    return int(out - first);
}

// The move of a legal action.
template <int Tiles>
Move move_of_action(const State<Tiles>& state, const OpenCells<Tiles>& open, const Deck<Tiles>& deck, int action) {
    if (action < SPECIAL_ACTIONS) return {Kind(action + 1)};
    const int width = deck.count + 2, place = (action - SPECIAL_ACTIONS) / width;
    const int rank = (action - SPECIAL_ACTIONS) % width;
    const std::uint8_t tile = deck.ascending[place];
    if (!state.laid) return {Kind::PLACE, tile, 0, std::uint8_t(rank)};
    return {Kind::PLACE, tile, open.slot[rank]};
}

template <int Tiles>
struct BatchGame {
    State<Tiles> state;
    OpenCells<Tiles> open;
    std::uint64_t seed;
    std::int64_t deals;   // of this seed so far
    Seats round_totals;   // at the start of the round
    std::int32_t listed;  // entries of the row of actions that are not -1
    bool latched;         // at the start of the round
};

// One step of one game, with the arrays of its row.
template <int Tiles, bool Classic>
class BatchRow {
    using S = State<Tiles>;
    using Game = BatchGame<Tiles>;

   public:
    BatchRow(const BatchOptions& options, const BatchArrays& out)
        : options_(options),
          rules_(Classic ? CLASSIC : options.rules),
          deck_(deck_of<Tiles>(options.rules)),
          out_(out),
          tiles_(deck_.count),
          players_(options.players),
          actions_(SPECIAL_ACTIONS + tiles_ * (tiles_ + 2)) {}

    // A new game, with the totals of its first round.
    void begin(Game& game, std::int64_t i) const {
        game.round_totals = {};
        game.latched = false;
        out_.rounds[i] = 0;
        deal_round(game, i, -1);
    }

    void refresh(Game& game, std::int64_t i) const {
        begin_board(game, i);
        game.open.read(game.state);
        read_board(game, i);
        observe(game, i);
    }

    void play(Game& game, std::int64_t i, int action) const {
        S& state = game.state;
        const int seat = state.turn;
        Seats before = state.total;
        const Move move = move_of_action(state, game.open, deck_, action);
        std::int8_t at[3] = {0, 0, std::int8_t(move.turn)};
        int cell = 0, rank = -1;
        if (move.kind == Kind::PLACE && state.laid) {
            cell = cell_of(state.spot[move.slot]);
            rank = (action - SPECIAL_ACTIONS) % (tiles_ + 2);
            std::memcpy(at, cells(i) + rank * CELL_FIELDS, 3);
        }
        state.apply(move, rules_);
        if (out_.history) write_event(i, seat, move, at);
        out_.plies[i]++;
        if (move.kind == Kind::PLACE) {
            if (rank < 0) at[2] = 0;
            place(game, i, move.tile, cell, rank, at);
        }
        out_.done[i] = 0;
        if (state.over()) [[unlikely]]
            finish(game, i, before);
        else
            for (int s = 0; s < players_; s++) out_.rewards[i * players_ + s] = state.total[s] - before[s];
        observe(game, i);
    }

   private:
    std::int8_t* cells(std::int64_t i) const { return out_.cells + i * (tiles_ + 2) * CELL_FIELDS; }

    void deal_round(Game& game, std::int64_t i, int starter) const {
        Dice dice = Dice::numbered(game.seed, std::uint64_t(game.deals++));
        S& state = game.state;
        const int size = options_.rules.racks[players_];
        if (options_.tiles[0] | options_.tiles[1]) {
            Deck<Tiles> part = deck_;
            part.count = 0;
            for (int k = 0; k < deck_.count; k++) {
                const int index = S::TABLE.public_index[deck_.tile[k]];
                if (options_.tiles[std::size_t(index >> 6)] >> (index & 63) & 1)
                    part.tile[part.count++] = deck_.tile[k];
            }
            deal(state, options_.rules, part, size, players_, dice);
        } else {
            deal(state, options_.rules, deck_, size, players_, dice);
        }
        shuffle_pool(state, dice);
        if (!options_.rules.starter_free_choice) order_openings(state);
        if (starter >= 0) state.starter = state.turn = std::uint8_t(starter);
        state.total = game.round_totals;
        state.latched = game.latched;
        out_.rounds[i]++;
        refresh(game, i);
    }

    // Of equal tiles, which only sets with mirror images have, the first in ascending order opens: racks are
    // shown in that order.
    void order_openings(S& state) const {
        for (int seat = 0; seat < players_; seat++) {
            int best = -1;
            for (int place = 0; place < deck_.count; place++) {
                const int tile = deck_.ascending[place];
                if (!state.rack[std::size_t(seat)].has(tile)) continue;
                if (best < 0 || S::TABLE.rank[tile] > S::TABLE.rank[best]) best = tile;
            }
            state.best_opening[seat] = std::uint8_t(best);
        }
    }

    // The round is over: the next one of a match, or the end of the game.
    TRIOMINO_NOINLINE void finish(Game& game, std::int64_t i, const Seats& before) const {
        const Rules& rules = options_.rules;
        S& state = game.state;
        for (int s = 0; s < players_; s++) {
            out_.rewards[i * players_ + s] = state.total[s] - before[s];
            out_.final_totals[i * players_ + s] = state.total[s];
        }
        const int won = state.winners(rules, game.round_totals);
        out_.winners[i] = std::uint8_t(won);
        if (options_.match) {
            const Ledger ledger = Ledger::open(rules, players_, game.round_totals, game.latched)
                                      .started_by(state.starter)
                                      .played(state.total, state.latched, {state.ending, state.end_seats, won});
            if (!ledger.is_over()) {
                const Ledger next = ledger.next_round(ledger.next_starter());
                game.round_totals = next.totals;
                game.latched = next.latched();
                out_.winners[i] = 0;
                deal_round(game, i, next.starter);
                return;
            }
            out_.winners[i] = std::uint8_t(ledger.winners());
        }
        out_.done[i] = 1;
        if (options_.auto_reset == AutoReset::SAME_STEP) begin(game, i);
    }

    // An empty board in all arrays that are updated tile by tile.
    void begin_board(Game& game, std::int64_t i) const {
        game.open.clear();
        out_.plies[i] = 0;
        out_.cell_count[i] = 0;
        std::memset(out_.laid + i * tiles_, 0, std::size_t(tiles_));
        std::memset(cells(i), 0, std::size_t((tiles_ + 2) * CELL_FIELDS));
        if (out_.planes)
            std::memset(out_.planes + i * PLANES * PLANE_SIDE * PLANE_SIDE, 0, PLANES * PLANE_SIDE * PLANE_SIDE);
        out_.clipped[i] = 0;
        if (out_.history)
            std::memset(out_.history + i * options_.history * EVENT_FIELDS, -1,
                        std::size_t(options_.history * EVENT_FIELDS));
    }

    // All tiles of a board at once.
    void read_board(Game& game, std::int64_t i) const {
        const S& state = game.state;
        if (!state.laid) return;
        const Coordinates<Tiles> coordinates(state);
        const auto locate = [&](int cell, std::int8_t* at) {
            PlainMove found;
            coordinates.locate(state, cell, found);
            at[0] = std::int8_t(found.x - state.origin_x), at[1] = std::int8_t(found.y - state.origin_y);
            at[2] = std::int8_t(cell & 1);
        };
        for (int k = 0; k < state.laid; k++) {
            std::int8_t at[3];
            locate(state.laid_cell[k], at);
            out_.laid[i * tiles_ + deck_.place[state.laid_tile[k]]] = 1;
            draw_planes(i, at, numbers_at(state, state.laid_cell[k]));
        }
        for (int rank = 0; rank < game.open.count; rank++) {
            std::int8_t* row = cells(i) + rank * CELL_FIELDS;
            locate(game.open.cell[rank], row);
            write_numbers(state, game.open.cell[rank], row);
        }
        finish_cells(game, i);
    }

    // A tile was laid on an open cell of this rank or, with rank -1, as the first.
    void place(Game& game, std::int64_t i, int tile, int cell, int rank, const std::int8_t* at) const {
        const S& state = game.state;
        OpenCells<Tiles>& open = game.open;
        std::int8_t* rows = cells(i);
        out_.laid[i * tiles_ + deck_.place[tile]] = 1;
        if (rank >= 0) {
            open.remove(rank);
            move_rows(rows, rank, rank + 1, open.count - rank);
        }
        const int down = at[2], x = at[0], y = at[1];
        const int step[3] = {-1, 1, down ? 2 * S::ROW - 1 : 1 - 2 * S::ROW};
        const int dx[3] = {down ? 0 : -1, down, 0}, dy[3] = {0, 0, down ? 1 : -1};
        for (int side = 0; side < 3; side++) {
            const int other = cell + step[side], slot = state.slot_of[S::cell_index(other)];
            if (slot >= S::SLOTS) continue;
            bool known;
            const int inserted = open.insert(other, slot, known);
            if (known) continue;
            move_rows(rows, inserted + 1, inserted, open.count - 1 - inserted);
            std::int8_t* row = rows + inserted * CELL_FIELDS;
            row[0] = std::int8_t(x + dx[side]), row[1] = std::int8_t(y + dy[side]), row[2] = std::int8_t(1 - down);
            row[6] = 0, row[7] = 1;
            write_numbers(state, other, row);
        }
        open.read_patterns(state);
        finish_cells(game, i);
        if (out_.planes) draw_planes(i, at, numbers_at(state, cell));
    }

    static void move_rows(std::int8_t* rows, int to, int from, int count) {
        std::memmove(rows + to * CELL_FIELDS, rows + from * CELL_FIELDS, std::size_t(count * CELL_FIELDS));
    }

    static void write_numbers(const S& state, int cell, std::int8_t* row) {
        const auto numbers = numbers_at(state, cell);
        for (int k = 0; k < 3; k++) row[3 + k] = std::int8_t(std::uint8_t(numbers[std::size_t(k)] + 1));
    }

    // What may have changed in any row: a third number, and with it a bonus.
    void finish_cells(Game& game, std::int64_t i) const {
        const OpenCells<Tiles>& open = game.open;
        std::int8_t* rows = cells(i);
        for (int rank = 0; rank < open.count; rank++) {
            std::int8_t* row = rows + rank * CELL_FIELDS;
            row[7] = 1;
            if (open.pattern[rank] < PAIRS) continue;
            write_numbers(game.state, open.cell[rank], row);
            row[6] = std::int8_t(game.state.bonus(open.slot[rank], rules_));
        }
        if (open.count < tiles_ + 2)  // one may have gone, never two
            std::memset(rows + open.count * CELL_FIELDS, 0, CELL_FIELDS);
        out_.cell_count[i] = open.count;
    }

    void draw_planes(std::int64_t i, const std::int8_t* at, const std::array<std::uint8_t, 3>& numbers) const {
        if (!out_.planes) return;
        std::uint8_t* planes = out_.planes + i * PLANES * PLANE_SIDE * PLANE_SIDE;
        const int x = at[0], y = at[1], down = at[2];
        const auto mark = [&](int column, int row, int plane) {
            column += PLANE_RADIUS, row += PLANE_RADIUS;
            if (unsigned(column) < unsigned(PLANE_SIDE) && unsigned(row) < unsigned(PLANE_SIDE))
                planes[(row * PLANE_SIDE + column) * PLANES + plane] = 1;
            else
                out_.clipped[i]++;
        };
        mark(x + down, y, numbers[0]);
        mark(x, y + 1, numbers[1]);
        mark(x + 1, y + down, numbers[2]);
        mark(x, y, 6 + down);
    }

    void write_event(std::int64_t i, int seat, const Move& move, const std::int8_t* at) const {
        std::int8_t* event = out_.history + (i * options_.history + out_.plies[i] % options_.history) * EVENT_FIELDS;
        const bool places = move.kind == Kind::PLACE;
        event[0] = std::int8_t(seat), event[1] = std::int8_t(move.kind);
        event[2] = places ? std::int8_t(deck_.place[move.tile]) : -1;
        for (int k = 0; k < 3; k++) event[3 + k] = places ? at[k] : -1;
    }

    // Everything that is written anew after each move.
    void observe(Game& game, std::int64_t i) const {
        const S& state = game.state;
        std::int16_t* actions = out_.actions + i * S::MOST_MOVES;
        if (out_.mask) {
            std::uint8_t* mask = out_.mask + i * actions_;
            for (int k = 0; k < out_.action_count[i]; k++) mask[actions[k]] = 0;
        }
        const int count = list_actions(state, game.open, deck_, rules_, actions);
        for (int k = count; k < game.listed; k++) actions[k] = -1;
        game.listed = out_.action_count[i] = count;
        if (out_.mask) {
            std::uint8_t* mask = out_.mask + i * actions_;
            for (int k = 0; k < count; k++) mask[actions[k]] = 1;
        }
        const int turn = state.turn;
        write_rack(state.rack[std::size_t(turn)], out_.rack + i * tiles_);
        std::int32_t* sizes = out_.sizes + i * (players_ + 1);
        std::int32_t* totals = out_.totals + i * players_;
        for (int k = 0, seat = turn; k < players_; k++, seat = seat + 1 == players_ ? 0 : seat + 1) {
            sizes[k] = state.rack[std::size_t(seat)].count();
            totals[k] = state.total[std::size_t(seat)];
        }
        sizes[players_] = state.pool_size();
        out_.turn[i] = state.turn;
        out_.draws[i] = state.draws;
        out_.starter[i] = state.starter;
        if (out_.racks) observe_all(state, i);
    }

    void write_rack(const typename S::TileMask& rack, std::uint8_t* row) const {
        std::memset(row, 0, std::size_t(tiles_));
        rack.each([&](int tile) { row[deck_.place[tile]] = 1; });
    }

    void observe_all(const S& state, std::int64_t i) const {
        for (int seat = 0; seat < players_; seat++)
            write_rack(state.rack[std::size_t(seat)], out_.racks + (i * players_ + seat) * tiles_);
        std::uint8_t* pool = out_.pool + i * tiles_;
        std::memset(pool, 255, std::size_t(tiles_));
        for (int k = state.next; k < state.pool_end; k++) *pool++ = deck_.place[state.pool[k]];
    }

    const BatchOptions& options_;
    const Rules& rules_;
    const Deck<Tiles>& deck_;
    const BatchArrays& out_;
    const int tiles_, players_, actions_;
};

template <int Tiles>
class BatchEngineOf final : public BatchEngine {
    using S = State<Tiles>;
    using Game = BatchGame<Tiles>;
    static Game& at(void* games, std::int64_t i) { return static_cast<Game*>(games)[i]; }

   public:
    std::size_t game_size() const override { return sizeof(Game); }
    int most_moves() const override { return S::MOST_MOVES; }
    int vertices() const override { return S::VERTICES; }
    std::size_t vertex_offset() const override { return offsetof(S, vertex); }
    std::size_t cell_offset() const override { return offsetof(S, slot_of); }
    std::size_t state_size() const override { return sizeof(S); }

    void open(void* games, const BatchOptions& options, const BatchArrays& out, const std::uint64_t* seeds,
              std::int64_t first, std::int64_t count) const override {
        const BatchRow<Tiles, false> row(options, out);
        for (std::int64_t i = first; i < first + count; i++) {
            Game& game = at(games, i);
            std::memset(static_cast<void*>(&game), 0, sizeof game);
            game.seed = seeds[i];
            game.listed = S::MOST_MOVES;
            row.begin(game, i);
        }
    }
    void reset(void* games, const BatchOptions& options, const BatchArrays& out, std::int64_t i,
               const std::uint64_t* seed) const override {
        Game& game = at(games, i);
        if (seed) game.seed = *seed, game.deals = 0;
        BatchRow<Tiles, false>(options, out).begin(game, i);
        forget(options, out, i);
    }
    std::int64_t step(void* games, const BatchOptions& options, const BatchArrays& out, const std::int32_t* actions,
                      std::int64_t first, std::int64_t count) const override {
        if (plays_as_classic(options.rules) && !options.rules.target)
            return step_all<true>(games, options, out, actions, first, count);
        return step_all<false>(games, options, out, actions, first, count);
    }
    void choose(const void* games, const BatchOptions& options, Policy policy, std::uint64_t seed,
                std::int32_t* actions, std::int64_t first, std::int64_t count) const override {
        const auto& deck = deck_of<Tiles>(options.rules);
        with_policy(policy, [&]<class P>(P) {
            for (std::int64_t i = first; i < first + count; i++) {
                const Game& game = static_cast<const Game*>(games)[i];
                actions[i] = -1;
                if (game.state.over()) continue;
                Dice dice = Dice::numbered(seed, std::uint64_t(i));
                actions[i] = action_of(game, deck, P::choose(game.state, options.rules, dice));
            }
        });
    }
    void load(void* games, const BatchOptions& options, const BatchArrays& out, std::int64_t i, const void* state,
              const Seats& start_totals) const override {
        Game& game = at(games, i);
        game.state = *static_cast<const S*>(state);
        game.round_totals = start_totals;
        game.latched = game.state.latched;
        out.rounds[i] = 1;
        BatchRow<Tiles, false>(options, out).refresh(game, i);
        forget(options, out, i);
        if (!game.state.over()) return;
        out.done[i] = 1;
        out.winners[i] = std::uint8_t(game.state.winners(options.rules, start_totals));
        for (int s = 0; s < options.players; s++) out.final_totals[i * options.players + s] = game.state.total[s];
    }
    const void* state(const void* games, std::int64_t i) const override {
        return &static_cast<const Game*>(games)[i].state;
    }

    int actions(const void* state, const Rules& rules, std::int16_t* out) const override {
        const S& here = *static_cast<const S*>(state);
        OpenCells<Tiles> open;
        open.read(here);
        return list_actions(here, open, deck_of<Tiles>(rules), rules, out);
    }
    bool play(void* state, const Rules& rules, int action) const override {
        S& here = *static_cast<S*>(state);
        std::int16_t legal[S::MOST_MOVES];
        OpenCells<Tiles> open;
        open.read(here);
        const auto& deck = deck_of<Tiles>(rules);
        const int count = list_actions(here, open, deck, rules, legal);
        for (int i = 0; i < count; i++)
            if (legal[i] == action) {
                here.apply(move_of_action(here, open, deck, action), rules);
                return true;
            }
        return false;
    }
    int players(const void* state) const override { return static_cast<const S*>(state)->players; }
    int turn(const void* state) const override { return static_cast<const S*>(state)->turn; }
    Seats totals(const void* state) const override { return static_cast<const S*>(state)->total; }
    bool put_next(void* state, int tile) const override {
        S& here = *static_cast<S*>(state);
        const int wanted = tile < 76 ? S::TABLE.of_public[std::size_t(tile)] : 255;
        for (int i = here.next; i < here.pool_end; i++)
            if (here.pool[i] == wanted) {
                std::swap(here.pool[i], here.pool[here.next]);
                return true;
            }
        return false;
    }

   private:
    static int action_of(const Game& game, const Deck<Tiles>& deck, const Move& move) {
        if (move.kind != Kind::PLACE) return int(move.kind) - 1;
        int rank = move.turn;
        if (game.state.laid) {
            rank = 0;
            while (game.open.slot[rank] != move.slot) rank++;
        }
        return SPECIAL_ACTIONS + deck.place[move.tile] * (deck.count + 2) + rank;
    }

    // No step led here.
    static void forget(const BatchOptions& options, const BatchArrays& out, std::int64_t i) {
        out.done[i] = 0;
        for (int s = 0; s < options.players; s++) out.rewards[i * options.players + s] = 0;
    }

    template <bool Classic>
    TRIOMINO_FLATTEN static std::int64_t step_all(void* games, const BatchOptions& options, const BatchArrays& out,
                                                  const std::int32_t* actions, std::int64_t first, std::int64_t count) {
        const BatchRow<Tiles, Classic> row(options, out);
        std::int64_t dealt = 0;
        for (std::int64_t i = first; i < first + count; i++) {
            Game& game = at(games, i);
            if (!game.state.over()) [[likely]] {
                if (actions[i] < 0) continue;
                const std::int64_t deals = game.deals;
                row.play(game, i, actions[i]);
                dealt += game.deals - deals;
            } else {
                forget(options, out, i);
                if (options.auto_reset == AutoReset::NEXT_STEP)
                    row.begin(game, i), dealt++;
                else
                    out.done[i] = 1;
            }
        }
        return dealt;
    }
};

const BatchEngine& batch_engine(int tiles) {
    static const BatchEngineOf<56> without_mirror_images;
    static const BatchEngineOf<76> with_mirror_images;
    if (tile_set(tiles)->mirrored) return with_mirror_images;
    return without_mirror_images;
}

}  // namespace triomino::TRIOMINO_ARCH
