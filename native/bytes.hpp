// Byte-wise comparisons over rows of bytes, as bit masks, with the widest registers of this build.
#pragma once
#include <cstdint>

#include "mask.hpp"
#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace triomino::TRIOMINO_ARCH {

// places() returns the positions of a row where holds() is true. A row is aligned, and its size is a
// multiple of 32 bytes.
#if defined(__AVX2__)
using Wide = __m256i;
inline Wide spread(std::uint8_t byte) { return _mm256_set1_epi8(char(byte)); }
inline Wide equal(Wide a, Wide b) { return _mm256_cmpeq_epi8(a, b); }
inline Wide either(Wide a, Wide b) { return _mm256_or_si256(a, b); }
inline Wide higher(Wide a, Wide b) { return _mm256_max_epu8(a, b); }
inline void store(std::uint8_t* row, Wide bytes) { _mm256_store_si256(reinterpret_cast<Wide*>(row), bytes); }
template <int Bytes, class Holds>
inline auto places(const std::uint8_t* row, Holds holds) {
    Mask<(Bytes + 63) / 64> found;
    for (int i = 0; i < Bytes / 32; i++) {
        const Wide here = _mm256_load_si256(reinterpret_cast<const Wide*>(row) + i);
        const std::uint64_t bits = std::uint32_t(_mm256_movemask_epi8(holds(here)));
        found.word[i / 2] |= bits << (i % 2 * 32);
    }
    return found;
}
#elif defined(__SSE2__) || defined(_M_X64)
using Wide = __m128i;
inline Wide spread(std::uint8_t byte) { return _mm_set1_epi8(char(byte)); }
inline Wide equal(Wide a, Wide b) { return _mm_cmpeq_epi8(a, b); }
inline Wide either(Wide a, Wide b) { return _mm_or_si128(a, b); }
inline Wide higher(Wide a, Wide b) { return _mm_max_epu8(a, b); }
inline void store(std::uint8_t* row, Wide bytes) { _mm_store_si128(reinterpret_cast<Wide*>(row), bytes); }
template <int Bytes, class Holds>
inline auto places(const std::uint8_t* row, Holds holds) {
    Mask<(Bytes + 63) / 64> found;
    for (int i = 0; i < Bytes / 16; i++) {
        const Wide here = _mm_load_si128(reinterpret_cast<const Wide*>(row) + i);
        const std::uint64_t bits = std::uint32_t(_mm_movemask_epi8(holds(here)));
        found.word[i / 4] |= bits << (i % 4 * 16);
    }
    return found;
}
#elif defined(__wasm_simd128__)
using Wide = v128_t;
inline Wide spread(std::uint8_t byte) { return wasm_u8x16_splat(byte); }
inline Wide equal(Wide a, Wide b) { return wasm_i8x16_eq(a, b); }
inline Wide either(Wide a, Wide b) { return wasm_v128_or(a, b); }
inline Wide higher(Wide a, Wide b) { return wasm_u8x16_max(a, b); }
inline void store(std::uint8_t* row, Wide bytes) { wasm_v128_store(row, bytes); }
template <int Bytes, class Holds>
inline auto places(const std::uint8_t* row, Holds holds) {
    Mask<(Bytes + 63) / 64> found;
    for (int i = 0; i < Bytes / 16; i++) {
        const std::uint64_t bits = std::uint32_t(wasm_i8x16_bitmask(holds(wasm_v128_load(row + 16 * i))));
        found.word[i / 4] |= bits << (i % 4 * 16);
    }
    return found;
}
#else
using Wide = std::uint8_t;
inline Wide spread(std::uint8_t byte) { return byte; }
inline Wide equal(Wide a, Wide b) { return a == b ? 255 : 0; }
inline Wide either(Wide a, Wide b) { return a | b; }
inline Wide higher(Wide a, Wide b) { return a > b ? a : b; }
inline void store(std::uint8_t* row, Wide byte) { *row = byte; }
template <int Bytes, class Holds>
inline auto places(const std::uint8_t* row, Holds holds) {
    Mask<(Bytes + 63) / 64> found;
    for (int i = 0; i < Bytes; i++) found.word[i / 64] |= std::uint64_t(holds(row[i]) & 1) << (i % 64);
    return found;
}
#endif

// Without -fno-tree-loop-distribute-patterns compilers turn this loop into a string instruction, whose
// start-up alone takes longer than filling a board.
template <int Bytes>
inline void fill(std::uint8_t* row, std::uint8_t byte) {
    const Wide bytes = spread(byte);
    for (int i = 0; i < Bytes; i += int(sizeof(Wide))) store(row + i, bytes);
}

template <int Bytes>
inline auto zeros(const std::uint8_t* row) {
    return places<Bytes>(row, [](Wide here) { return equal(here, spread(0)); });
}

template <int Bytes>
inline auto any_of(const std::uint8_t* row, const std::array<std::uint8_t, 4>& wanted) {
    const Wide a = spread(wanted[0]), b = spread(wanted[1]), c = spread(wanted[2]), d = spread(wanted[3]);
    return places<Bytes>(row, [=](Wide here) {
        return either(either(equal(here, a), equal(here, b)), either(equal(here, c), equal(here, d)));
    });
}

template <int Bytes>
inline auto at_least(const std::uint8_t* row, std::uint8_t least) {
    const Wide bound = spread(least);
    return places<Bytes>(row, [=](Wide here) { return equal(higher(here, bound), here); });
}

}  // namespace triomino::TRIOMINO_ARCH
