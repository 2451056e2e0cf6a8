// Chooses the engine for this CPU at run time. Compiled for the baseline instruction set.
#include "engine.hpp"

namespace triomino {

bool is_fast() {
#if defined(TRIOMINO_HAS_V3)
    static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                             __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
                             __builtin_cpu_supports("popcnt");
    return fast;
#else
    return false;
#endif
}

const Engine& engine(int tiles, bool portable_only) {
#if defined(TRIOMINO_HAS_V3)
    if (is_fast() && !portable_only) return v3::engine(tiles);
#endif
    (void)portable_only;
    return portable::engine(tiles);
}

}  // namespace triomino
