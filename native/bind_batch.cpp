// Batches of games as Python objects: see batch.hpp.
#if !defined(_WIN32)
#include <unistd.h>
#endif

#include <chrono>
#include <functional>

#include "bind.hpp"

namespace triomino {

const BatchEngine& batch_engine(int tiles, bool portable_only) {
#if defined(TRIOMINO_HAS_V3)
    if (is_fast() && !portable_only) return v3::batch_engine(tiles);
#endif
    (void)portable_only;
    return portable::batch_engine(tiles);
}

}  // namespace triomino

namespace triomino::bind {

using namespace nb::literals;

namespace {

using Indices = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Seeds = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Actions = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct Wanted {
    bool mask, planes, everything;
};

// The number of this process, where processes can be forked.
int process_number() {
#if defined(_WIN32)
    return 0;
#else
    return int(getpid());
#endif
}

// Let the other thread of this core run for some cycles.
void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) && !defined(_MSC_VER)
    asm volatile("yield");
#endif
}

// Threads that wait for work: starting new ones would take as long as a step. In a forked process, where
// they do not exist, others are started.
//
// Work is done in chunks. Every thread begins with a share of its own, always the same games, so that they stay
// in its caches, and then takes what is left of the others'. Whoever asks for work does not wait for a helper
// that has not come yet: on a busy machine it does all by itself.
class Crew {
   public:
    explicit Crew(int helpers) : process_(process_number()), shares_(std::size_t(helpers) + 1) {
        for (int i = 0; i < helpers; i++) threads_.emplace_back([this, i] { serve(std::size_t(i) + 1); });
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    ~Crew() {
        stops_ = true;
        call_++;
        call_.notify_all();
        for (auto& thread : threads_) thread.join();
    }
    bool is_ours() const { return process_ == process_number(); }

    // Run work(first, count) for chunks of all items, on every thread of the crew and on this one.
    void run(std::int64_t items, const std::function<void(std::int64_t, std::int64_t)>& work) {
        const auto count = std::int64_t(shares_.size());
        for (std::int64_t k = 0; k < count; k++) {
            shares_[std::size_t(k)].next.store(items * k / count, std::memory_order_relaxed);
            shares_[std::size_t(k)].end = items * (k + 1) / count;
        }
        work_ = &work;
        is_open_ = true;
        call_++;
        call_.notify_all();
        take(0);
        is_open_ = false;  // who comes now finds nothing to do
        wait_while(inside_, [](int left) { return left != 0; });
    }

   private:
    static constexpr std::int64_t CHUNK = 32;

    // On a line of its own, as two threads write to them.
    struct alignas(64) Share {
        std::atomic<std::int64_t> next{0};
        std::int64_t end = 0;
    };

    void take(std::size_t number) {
        for (std::size_t k = 0; k < shares_.size(); k++) {
            Share& share = shares_[(number + k) % shares_.size()];
            for (;;) {
                const std::int64_t first = share.next.fetch_add(CHUNK, std::memory_order_relaxed);
                if (first >= share.end) break;
                (*work_)(first, std::min(CHUNK, share.end - first));
            }
        }
    }
    void serve(std::size_t number) {
        for (std::uint32_t seen = 0;;) {
            wait_while(call_, [&](std::uint32_t now) { return now == seen; });
            seen = call_;
            if (stops_) return;
            inside_++;
            if (is_open_) take(number);
            if (--inside_ == 0) inside_.notify_all();
        }
    }
    // Look as long as Python takes between two steps, then sleep: waking up takes longer than a step.
    template <class T, class Test>
    static void wait_while(const std::atomic<T>& value, const Test& test) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
        do {
            for (int i = 0; i < 32; i++, relax())
                if (!test(value.load(std::memory_order_seq_cst))) return;
        } while (std::chrono::steady_clock::now() < until);
        for (T now; test(now = value.load());) value.wait(now);
    }

    const int process_;
    std::vector<Share> shares_;
    std::vector<std::thread> threads_;
    const std::function<void(std::int64_t, std::int64_t)>* work_ = nullptr;
    alignas(64) std::atomic<std::uint32_t> call_{0};
    std::atomic<bool> is_open_{false}, stops_{false};
    alignas(64) std::atomic<int> inside_{0};
};

class Batch {
   public:
    ~Batch() {
        if (crew_ && !crew_->is_ours()) crew_.release();  // its threads are another process's
    }
    Batch(const BatchOptions& options, const Seeds& seeds, const Wanted& wanted, int threads)
        : options_(options),
          engine_(&batch_engine(options.rules.tiles)),
          games_(std::int64_t(seeds.shape(0))),
          threads_(checked_threads(threads)) {
        check(options);
        if (games_ < 1 || games_ > 10'000'000) throw std::invalid_argument("a batch has 1 to 10000000 games");
        memory_ = allocate(engine_->game_size() * std::size_t(games_)).release();
        owner_ = nb::capsule(memory_, [](void* p) noexcept { AlignedDelete{}(p); });
        make_arrays(wanted);
        show_board();
        nb::gil_scoped_release released;
        each([&](std::int64_t first, std::int64_t count) {
            engine_->open(memory_, options_, out_, seeds.data(), first, count);
        });
        dealt_ = games_;
    }

    // Play an action in every game; -1 leaves a game that is not over as it is. Plays nothing if any action is illegal.
    void step(const Actions& actions) {
        if (std::int64_t(actions.shape(0)) != games_) throw std::invalid_argument("an action for every game is needed");
        const std::int32_t* chosen = actions.data();
        std::atomic<std::int64_t> wrong{-1};
        {
            nb::gil_scoped_release released;
            each([&](std::int64_t first, std::int64_t count) {
                for (std::int64_t i = first; i < first + count; i++) {
                    if (!out_.action_count[i] || chosen[i] == -1 || listed(i, chosen[i])) continue;
                    std::int64_t known = wrong;  // the first one is told
                    while ((known < 0 || i < known) && !wrong.compare_exchange_weak(known, i)) {
                    }
                    return;
                }
            });
            if (wrong < 0)
                each([&](std::int64_t first, std::int64_t count) {
                    dealt_ += engine_->step(memory_, options_, out_, chosen, first, count);
                });
        }
        if (wrong >= 0) throw std::invalid_argument("the action for game " + std::to_string(wrong) + " is not legal");
    }

    nb::object choose(int policy, std::uint64_t seed) {
        Array<std::int32_t> chosen({std::size_t(games_)});
        const Policy by = policy_of(policy);
        {
            nb::gil_scoped_release released;
            each([&](std::int64_t first, std::int64_t count) {
                engine_->choose(memory_, options_, by, seed, chosen.data.get(), first, count);
            });
        }
        return chosen.numpy();
    }

    void reset(const Indices& games, const std::optional<Seeds>& seeds) {
        if (seeds && seeds->shape(0) != games.shape(0)) throw std::invalid_argument("a seed for every game is needed");
        for (std::size_t k = 0; k < games.shape(0); k++) checked(games.data()[k]);
        for (std::size_t k = 0; k < games.shape(0); k++)
            engine_->reset(memory_, options_, out_, games.data()[k], seeds ? seeds->data() + k : nullptr);
        dealt_ += std::int64_t(games.shape(0));
    }

    State state(std::int64_t game) const {
        State out(options_.rules, false);
        std::memcpy(out.at(), engine_->state(memory_, checked(game)), engine_->state_size());
        return out;
    }
    void load(std::int64_t game, const State& state, const std::vector<int>& start_totals) {
        if (!(state.rules() == options_.rules)) throw std::invalid_argument("this state is of other rules");
        Position at;
        state.engine().dump(state.at(), at);
        if (at.players != options_.players || start_totals.size() != std::size_t(at.players))
            throw std::invalid_argument("this state has another number of players");
        Seats begun{};
        std::copy(start_totals.begin(), start_totals.end(), begun.begin());
        engine_->load(memory_, options_, out_, checked(game), state.at(), begun);
    }

    // All games and arrays as they are, for a batch with the same options in this build.
    nb::bytes raw() const {
        std::string out;
        for (const auto& [memory, size] : blocks_) out.append(static_cast<const char*>(memory), size);
        out.append(static_cast<const char*>(memory_), memory_size());
        return nb::bytes(out.data(), out.size());
    }
    void restore(const nb::bytes& raw, std::int64_t dealt) {
        std::size_t needed = memory_size();
        for (const auto& block : blocks_) needed += block.second;
        if (raw.size() != needed) throw std::invalid_argument("this batch is of another build");
        const char* from = static_cast<const char*>(raw.data());
        for (const auto& [memory, size] : blocks_) std::memcpy(memory, from, size), from += size;
        std::memcpy(memory_, from, memory_size());
        dealt_ = dealt;
    }

    Data arrays() const { return arrays_; }
    std::int64_t dealt() const { return dealt_; }
    // Bytes of a game in no array.
    std::int64_t hidden_bytes() const { return std::int64_t(engine_->game_size()) - 3 * engine_->vertices(); }

   private:
    static void check(const BatchOptions& options) {
        refuse(check_players(options.rules, options.players));
        if (options.history < 0 || options.history > 10'000) throw std::invalid_argument("0 to 10000 events are kept");
        const int tiles = std::popcount(options.tiles[0]) + std::popcount(options.tiles[1]);
        if (tiles && options.players * options.rules.racks[std::size_t(options.players)] > tiles)
            throw std::invalid_argument("these are too few tiles for the racks");
    }
    void make_arrays(const Wanted& wanted) {
        const auto n = std::size_t(games_), tiles = std::size_t(options_.rules.tiles);
        const auto players = std::size_t(options_.players), history = std::size_t(options_.history);
        most_ = std::size_t(engine_->most_moves());
        make("actions", out_.actions, {n, most_});
        make("action_count", out_.action_count, {n});
        if (wanted.mask) make("mask", out_.mask, {n, SPECIAL_ACTIONS + tiles * (tiles + 2)});
        make("rack", out_.rack, {n, tiles});
        make("laid", out_.laid, {n, tiles});
        make("sizes", out_.sizes, {n, players + 1});
        make("totals", out_.totals, {n, players});
        make("rewards", out_.rewards, {n, players});
        make("final_totals", out_.final_totals, {n, players});
        make("winners", out_.winners, {n});
        make("turn", out_.turn, {n});
        make("draws", out_.draws, {n});
        make("starter", out_.starter, {n});
        make("done", out_.done, {n});
        make("rounds", out_.rounds, {n});
        make("plies", out_.plies, {n});
        make("cells", out_.cells, {n, tiles + 2, CELL_FIELDS});
        make("cell_count", out_.cell_count, {n});
        make("clipped", out_.clipped, {n});
        if (wanted.planes) make("planes", out_.planes, {n, PLANE_SIDE, PLANE_SIDE, PLANES});
        if (history) make("history", out_.history, {n, history, EVENT_FIELDS});
        if (!wanted.everything) return;
        make("racks", out_.racks, {n, players, tiles});
        make("pool", out_.pool, {n, tiles});
    }
    // The board lies in the games themselves.
    void show_board() {
        const std::int64_t stride = std::int64_t(engine_->game_size());
        const auto show = [&](const char* name, std::size_t offset, int size) {
            const std::size_t shape[2] = {std::size_t(games_), std::size_t(size)};
            const std::int64_t strides[2] = {stride, 1};
            arrays_[name] = nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(
                static_cast<const std::uint8_t*>(memory_) + offset, 2, shape, owner_, strides));
        };
        show("board_vertices", engine_->vertex_offset(), engine_->vertices());
        show("board_cells", engine_->cell_offset(), 2 * engine_->vertices());
    }
    std::int64_t checked(std::int64_t game) const {
        if (game < 0 || game >= games_) throw std::invalid_argument("there is no game " + std::to_string(game));
        return game;
    }
    std::size_t memory_size() const { return engine_->game_size() * std::size_t(games_); }
    bool listed(std::int64_t i, std::int32_t action) const {
        const std::int16_t* from = out_.actions + std::size_t(i) * most_;
        for (std::int32_t k = 0; k < out_.action_count[i]; k++)
            if (from[k] == action) return true;
        return false;
    }
    template <class Work>
    void each(const Work& work) {
        if (threads_ == 1 || games_ <= FEW) {
            work(0, games_);
            return;
        }
        if (crew_ && !crew_->is_ours()) crew_.release();
        if (!crew_) crew_ = std::make_unique<Crew>(threads_ - 1);
        crew_->run(games_, work);
    }
    template <class T>
    void make(const char* name, T*& memory, std::vector<std::size_t> shape) {
        Array<T> array(std::move(shape));
        memory = array.data.get();
        std::size_t size = sizeof(T);
        for (auto n : array.shape) size *= n;
        blocks_.emplace_back(memory, size);
        arrays_[name] = array.read_only();
    }

    static constexpr std::int64_t FEW = 64;  // games that are not worth a second thread

    std::unique_ptr<Crew> crew_;
    BatchOptions options_;
    const BatchEngine* engine_;
    std::int64_t games_;
    int threads_;
    std::size_t most_ = 0;
    void* memory_ = nullptr;
    nb::capsule owner_;
    BatchArrays out_{};
    Data arrays_;
    std::vector<std::pair<void*, std::size_t>> blocks_;
    std::atomic<std::int64_t> dealt_{0};
};

void make_batch(Batch* self, const Rules& rules, int players, const Seeds& seeds, int threads, bool mask, bool planes,
                int history, bool everything, bool match, int auto_reset, const Words& tiles) {
    if (auto_reset < 0 || auto_reset > 2) throw std::invalid_argument("there is no such way to reset");
    BatchOptions options;
    options.rules = rules;
    options.players = players;
    options.history = history;
    options.match = match;
    options.tiles = tiles;
    options.auto_reset = AutoReset(auto_reset);
    new (self) Batch(options, seeds, {mask, planes, everything}, threads);
}

}  // namespace

void bind_batch(nb::module_& m) {
    nb::class_<Batch>(m, "Batch", "Many games stepped together.")
        .def("__init__", &make_batch, "rules"_a, "players"_a, "seeds"_a, nb::kw_only(), "threads"_a, "mask"_a,
             "planes"_a, "history"_a, "everything"_a, "match"_a, "auto_reset"_a, "tiles"_a)
        .def("step", &Batch::step, "actions"_a)
        .def("choose", &Batch::choose, "policy"_a, "seed"_a)
        .def("reset", &Batch::reset, "games"_a, "seeds"_a.none())
        .def("state", &Batch::state, "game"_a)
        .def("load", &Batch::load, "game"_a, "state"_a, "start_totals"_a)
        .def("raw", &Batch::raw)
        .def("restore", &Batch::restore, "raw"_a, "dealt"_a)
        .def_prop_ro("arrays", &Batch::arrays)
        .def_prop_ro("hidden_bytes", &Batch::hidden_bytes, "Bytes of a game beside its arrays.")
        .def_prop_ro("dealt", &Batch::dealt);
}

}  // namespace triomino::bind
