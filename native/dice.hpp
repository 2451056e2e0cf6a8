// SplitMix64: the same numbers as triomino.dice.Rng.
#pragma once
#include <cstdint>

namespace triomino::TRIOMINO_ARCH {

struct Dice {
    std::uint64_t state;

    // An independent generator for each number, derived from one seed.
    static Dice numbered(std::uint64_t seed, std::uint64_t number) {
        Dice dice{seed};
        return Dice{Dice{dice.bits() + number}.bits()};
    }
    std::uint64_t bits() {
        std::uint64_t z = state += 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return z ^ z >> 31;
    }
    // A uniform number in 0 .. stop - 1; stop must not be 0.
    std::uint32_t below(std::uint32_t stop) {
        std::uint64_t product = (bits() >> 32) * stop;
        if (std::uint32_t(product) < stop) [[unlikely]] {
            const std::uint32_t threshold = std::uint32_t(-stop) % stop;
            while (std::uint32_t(product) < threshold) product = (bits() >> 32) * stop;
        }
        return std::uint32_t(product >> 32);
    }
};

}  // namespace triomino::TRIOMINO_ARCH
