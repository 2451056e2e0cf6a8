// How long a search has worked: processor time of this thread, which other programs on a busy machine
// do not use up. Without such a clock, and as an upper bound, the time that has passed.
#pragma once
#include <chrono>
#include <cstdint>
#include <ctime>

namespace triomino {

inline std::int64_t wall_nanoseconds() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

inline std::int64_t work_nanoseconds() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
    timespec now;
    if (!clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)) return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
#endif
    return wall_nanoseconds();
}

class Stopwatch {
   public:
    // The processor time since it was started, or a fraction of the time passed if that is much longer.
    std::int64_t nanoseconds() const {
        const std::int64_t work = work_nanoseconds() - work_, wall = (wall_nanoseconds() - wall_) / PATIENCE;
        return work > wall ? work : wall;
    }

   private:
    static constexpr int PATIENCE = 4;  // nobody waits longer than this multiple
    std::int64_t work_ = work_nanoseconds(), wall_ = wall_nanoseconds();
};

}  // namespace triomino
