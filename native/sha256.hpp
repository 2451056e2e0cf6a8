// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) for the deals of fair/1. Not hardened against side channels.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace triomino::TRIOMINO_ARCH {

using Digest = std::array<std::uint8_t, 32>;

class Sha256 {
   public:
    void add(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const std::uint8_t*>(data);
        for (std::size_t i = 0; i < size; i++) {
            block_[length_++ % 64] = bytes[i];
            if (length_ % 64 == 0) mix();
        }
    }
    Digest digest() {
        const std::uint64_t bits = length_ * 8;
        const std::uint8_t one = 0x80, zero = 0;
        add(&one, 1);
        while (length_ % 64 != 56) add(&zero, 1);
        std::uint8_t end[8];
        for (int i = 0; i < 8; i++) end[i] = std::uint8_t(bits >> (56 - 8 * i));
        add(end, 8);
        Digest out;
        for (int i = 0; i < 32; i++) out[i] = std::uint8_t(state_[i / 4] >> (24 - i % 4 * 8));
        return out;
    }

   private:
    // The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    static constexpr std::uint32_t ROUND[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

    void mix() {
        std::uint32_t w[64];
        for (int i = 0; i < 16; i++)
            w[i] = std::uint32_t(block_[4 * i]) << 24 | std::uint32_t(block_[4 * i + 1]) << 16 |
                   std::uint32_t(block_[4 * i + 2]) << 8 | block_[4 * i + 3];
        for (int i = 16; i < 64; i++) {
            const std::uint32_t a = w[i - 15], b = w[i - 2];
            w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
                   (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
        }
        auto [a, b, c, d, e, f, g, h] = state_;
        for (int i = 0; i < 64; i++) {
            const std::uint32_t x =
                h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + w[i];
            const std::uint32_t y =
                (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + x, d = c, c = b, b = a, a = x + y;
        }
        const std::array<std::uint32_t, 8> add = {a, b, c, d, e, f, g, h};
        for (int i = 0; i < 8; i++) state_[i] += add[i];
    }

    std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::uint8_t, 64> block_{};
    std::uint64_t length_ = 0;
};

inline Digest sha256(const void* data, std::size_t size) {
    Sha256 hash;
    hash.add(data, size);
    return hash.digest();
}

// HMAC with a fixed key, whose blocks are hashed once.
class Hmac {
   public:
    explicit Hmac(const Digest& key) {
        std::array<std::uint8_t, 64> pad{};
        std::memcpy(pad.data(), key.data(), key.size());
        for (auto& byte : pad) byte ^= 0x36;
        inner_.add(pad.data(), 64);
        for (auto& byte : pad) byte ^= 0x36 ^ 0x5c;
        outer_.add(pad.data(), 64);
    }
    // A message in parts.
    class Message {
       public:
        Message(const Sha256& inner, const Sha256& outer) : inner_(inner), outer_(outer) {}
        void add(const void* data, std::size_t size) { inner_.add(data, size); }
        Digest end() {
            const Digest digest = inner_.digest();
            outer_.add(digest.data(), digest.size());
            return outer_.digest();
        }

       private:
        Sha256 inner_, outer_;
    };
    Message begin() const { return Message(inner_, outer_); }
    Digest of(const void* data, std::size_t size) const {
        Message message = begin();
        message.add(data, size);
        return message.end();
    }

   private:
    Sha256 inner_, outer_;
};

}  // namespace triomino::TRIOMINO_ARCH
