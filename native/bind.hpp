// What the bindings have in common: one round as a Python object, arrays, and work on several threads.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "batch.hpp"
#include "checks.hpp"
#include "engine.hpp"

namespace nb = nanobind;

namespace triomino::bind {

using Words = std::array<std::uint64_t, 2>;
using MoveTuple = std::tuple<int, int, int, int, int, int, int>;  // kind, x, y, down, numbers
using TileNumbers = std::vector<int>;

using Data = nb::typed<nb::dict, nb::str, nb::any>;

// Raise what a check found.
inline void refuse(const char* why) {
    if (why) throw std::invalid_argument(why);
}

struct AlignedDelete {
    void operator()(void* memory) const { ::operator delete(memory, std::align_val_t{64}); }
};
using AlignedMemory = std::unique_ptr<void, AlignedDelete>;

inline AlignedMemory allocate(std::size_t size) { return AlignedMemory(::operator new(size, std::align_val_t{64})); }

inline TileList tile_list(const TileNumbers& tiles) {
    TileList out;
    for (int tile : tiles) refuse(read_tile(tile, out));
    return out;
}

inline TileNumbers numbers_of(const TileList& tiles) { return {tiles.tile.begin(), tiles.tile.begin() + tiles.count}; }

inline MoveTuple tuple_of(const PlainMove& move) {
    return {move.kind, move.x, move.y, move.down, move.numbers[0], move.numbers[1], move.numbers[2]};
}

inline PlainMove move_of(const MoveTuple& given) {
    const auto [kind, x, y, down, a, b, c] = given;
    PlainMove move;
    refuse(read_move({kind, x, y, down, a, b, c}, move));
    return move;
}

class State {
   public:
    State(const Rules& rules, bool portable)
        : rules_(rules), engine_(&triomino::engine(rules.tiles, portable)), memory_(allocate(engine_->state_size())) {}
    State(const State& other) : State(other.rules_, false) {
        engine_ = other.engine_;
        std::memcpy(memory_.get(), other.memory_.get(), engine_->state_size());
    }

    static State load(const Rules& rules, const std::vector<MoveTuple>& board, const std::vector<TileNumbers>& racks,
                      const TileNumbers& pool, const TileNumbers& drawn, const std::vector<std::int64_t>& totals,
                      int turn, int starter, int idle, bool latched, int ending, int end_seats, bool portable) {
        State state(rules, portable);
        Position at;
        at.players = int(racks.size());
        if (board.size() > MOST_TILES || racks.size() > MOST_PLAYERS || totals.size() != racks.size())
            throw std::invalid_argument("a position has at most 76 tiles, and 2 to 6 racks with a total each");
        for (const auto& place : board) at.board[std::size_t(at.laid++)] = move_of(place);
        for (std::size_t seat = 0; seat < racks.size(); seat++) {
            at.rack[seat] = tile_list(racks[seat]);
            refuse(read_total(totals[seat], at.total[seat]));
        }
        at.pool = tile_list(pool), at.drawn = tile_list(drawn);
        at.turn = turn, at.starter = starter, at.idle = idle, at.latched = latched;
        at.ending = ending, at.end_seats = end_seats;
        refuse(state.engine_->load(state.at(), rules, at));
        return state;
    }

    Data dump() const {
        Position at;
        engine_->dump(memory_.get(), at);
        std::vector<MoveTuple> board;
        for (int i = 0; i < at.laid; i++) board.push_back(tuple_of(at.board[std::size_t(i)]));
        std::vector<TileNumbers> racks;
        std::vector<int> totals;
        for (std::size_t seat = 0; seat < std::size_t(at.players); seat++)
            racks.push_back(numbers_of(at.rack[seat])), totals.push_back(at.total[seat]);
        Data out;
        out["board"] = board;
        out["racks"] = racks;
        out["pool"] = numbers_of(at.pool);
        out["drawn"] = numbers_of(at.drawn);
        out["totals"] = totals;
        out["turn"] = at.turn;
        out["starter"] = at.starter;
        out["idle"] = at.idle;
        out["latched"] = at.latched;
        out["ending"] = at.ending;
        out["end_seats"] = at.end_seats;
        return out;
    }

    std::vector<MoveTuple> legal() const {
        std::vector<PlainMove> moves(MOST_MOVES);
        moves.resize(std::size_t(engine_->legal(memory_.get(), rules_, moves.data())));
        std::vector<MoveTuple> out;
        for (const auto& move : moves) out.push_back(tuple_of(move));
        return out;
    }
    int apply(const MoveTuple& move) {
        int bonus = 0;
        if (!engine_->apply(at(), rules_, move_of(move), &bonus))
            throw std::invalid_argument("this move is not legal now");
        return bonus;
    }
    int points(const MoveTuple& move) const { return engine_->points(memory_.get(), rules_, move_of(move)); }
    // Margin, win and nodes of best play, or nothing if the budget did not suffice.
    std::optional<std::tuple<int, int, std::int64_t>> solve(std::int64_t nodes, int win_weight) const {
        Solution found{};
        {
            nb::gil_scoped_release released;
            found = engine_->solve(memory_.get(), rules_, win_weight, nodes);
        }
        if (!found.solved) return std::nullopt;
        return std::tuple{found.margin, found.win, found.nodes};
    }
    std::uint64_t perft(int depth) const {
        if (depth < 0 || depth > 64) throw std::invalid_argument("a depth is 0 to 64");
        nb::gil_scoped_release released;
        return engine_->perft(memory_.get(), rules_, depth);
    }

    std::vector<int> actions() const {
        std::int16_t found[MOST_MOVES];
        const int count = games().actions(memory_.get(), rules_, found);
        return {found, found + count};
    }
    void play(int action) {
        if (!games().play(at(), rules_, action)) throw std::invalid_argument("this action is not legal now");
    }
    void put_next(int tile) {
        if (tile < 0 || !games().put_next(at(), tile)) throw std::invalid_argument("this tile is not in the pool");
    }
    int players() const { return games().players(memory_.get()); }
    int turn() const { return games().turn(memory_.get()); }
    Seats totals() const { return games().totals(memory_.get()); }
    nb::bytes raw() const { return nb::bytes(static_cast<const char*>(memory_.get()), engine_->state_size()); }
    static State from_raw(const Rules& rules, const nb::bytes& raw) {
        State state(rules, false);
        if (raw.size() != state.engine_->state_size()) throw std::invalid_argument("this state is of another build");
        std::memcpy(state.at(), raw.data(), raw.size());
        return state;
    }

    const Rules& rules() const { return rules_; }
    const Engine& engine() const { return *engine_; }
    void* at() { return memory_.get(); }
    const void* at() const { return memory_.get(); }

   private:
    const BatchEngine& games() const { return batch_engine(rules_.tiles, engine_->name()[0] == 'p'); }

    Rules rules_;
    const Engine* engine_;
    AlignedMemory memory_;
};

template <class T>
struct Array {
    std::unique_ptr<T[]> data;
    std::vector<std::size_t> shape;

    explicit Array(std::vector<std::size_t> shape_) : shape(std::move(shape_)) {
        std::size_t size = 1;
        for (auto n : shape) size *= n;
        data.reset(new T[size]());
    }
    nb::object numpy() {
        T* memory = data.release();
        nb::capsule owner(memory, [](void* p) noexcept { delete[] static_cast<T*>(p); });
        return nb::cast(nb::ndarray<nb::numpy, T>(memory, shape.size(), shape.data(), owner));
    }
    // The same, for memory that is written here alone.
    nb::object read_only() {
        T* memory = data.release();
        nb::capsule owner(memory, [](void* p) noexcept { delete[] static_cast<T*>(p); });
        return nb::cast(nb::ndarray<nb::numpy, const T>(memory, shape.size(), shape.data(), owner));
    }
};

// Call work(first, count) for consecutive parts of 0 .. total - 1 on several threads.
template <class Work>
void in_parts(std::int64_t total, int threads, std::int64_t part, const Work& work) {
    std::atomic<std::int64_t> next{0};
    const auto run = [&] {
        for (std::int64_t first; (first = next.fetch_add(part)) < total;) work(first, std::min(part, total - first));
    };
    std::vector<std::thread> workers;
    for (int i = 1; i < threads && std::int64_t{i} * part < total; i++) workers.emplace_back(run);
    run();
    for (auto& worker : workers) worker.join();
}

// The number of threads; 0 means one per core.
inline int checked_threads(int threads) {
    if (threads < 0 || threads > 1024) throw std::invalid_argument("there are 0 to 1024 threads");
    return threads ? threads : std::max(1, int(std::thread::hardware_concurrency()));
}

inline Policy policy_of(int policy) {
    if (policy < 0 || policy > 4) throw std::invalid_argument("there is no such policy");
    return Policy(policy);
}

// Defined in bind_batch.cpp.
void bind_batch(nb::module_& m);

}  // namespace triomino::bind
