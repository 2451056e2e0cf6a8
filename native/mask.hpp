// A set of numbers in 0 .. 64 * Words - 1, as a bit mask.
#pragma once
#include <bit>
#include <cstdint>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

// NOINLINE keeps code that runs once a round out of the code that runs for every move.
#if defined(__GNUC__)
#define TRIOMINO_FLATTEN __attribute__((flatten))
#define TRIOMINO_NOINLINE __attribute__((noinline))
#else
#define TRIOMINO_FLATTEN
#define TRIOMINO_NOINLINE
#endif

namespace triomino::TRIOMINO_ARCH {

inline int nth_bit(std::uint64_t word, int n) {
#if defined(__BMI2__)
    return std::countr_zero(_pdep_u64(std::uint64_t{1} << n, word));
#else
    while (n--) word &= word - 1;
    return std::countr_zero(word);
#endif
}

template <int Words>
struct Mask {
    std::uint64_t word[Words] = {};

    // The word that holds a number: a constant if there is only one.
    static constexpr int part(int i) { return Words == 1 ? 0 : i >> 6; }
    static constexpr Mask of(int i) {
        Mask mask;
        mask.word[part(i)] = std::uint64_t{1} << (i & 63);
        return mask;
    }
    constexpr bool has(int i) const { return word[part(i)] >> (i & 63) & 1; }
    constexpr void add(int i) { word[part(i)] |= std::uint64_t{1} << (i & 63); }
    constexpr void remove(int i) { word[part(i)] &= ~(std::uint64_t{1} << (i & 63)); }
    // Without a branch.
    constexpr void put(int i, bool in) {
        auto& here = word[part(i)];
        here = (here & ~(std::uint64_t{1} << (i & 63))) | std::uint64_t{in} << (i & 63);
    }
    constexpr bool any() const {
        std::uint64_t all = 0;
        for (auto each : word) all |= each;
        return all != 0;
    }
    constexpr int count() const {
        int sum = 0;
        for (auto each : word) sum += std::popcount(each);
        return sum;
    }
    constexpr int lowest() const {
        if constexpr (Words == 1) return std::countr_zero(word[0]);
        return word[0] ? std::countr_zero(word[0]) : 64 + std::countr_zero(word[Words - 1]);
    }
    int nth(int n) const {
        if constexpr (Words > 1) {
            const int low = std::popcount(word[0]);
            if (n >= low) return 64 + nth_bit(word[1], n - low);
        }
        return nth_bit(word[0], n);
    }
    // Call visit(i) for every member in ascending order.
    template <class Visit>
    constexpr void each(Visit visit) const {
        for (int i = 0; i < Words; i++)
            for (auto left = word[i]; left; left &= left - 1) visit(64 * i + std::countr_zero(left));
    }
    friend constexpr Mask operator&(Mask a, Mask b) {
        for (int i = 0; i < Words; i++) a.word[i] &= b.word[i];
        return a;
    }
    friend constexpr Mask operator|(Mask a, Mask b) {
        for (int i = 0; i < Words; i++) a.word[i] |= b.word[i];
        return a;
    }
    friend constexpr Mask operator~(Mask a) {
        for (auto& each : a.word) each = ~each;
        return a;
    }
    friend constexpr bool operator==(Mask a, Mask b) = default;
};

}  // namespace triomino::TRIOMINO_ARCH
