// Whole numbers of up to 1024 bits. The number of ways in which tiles can have come to a rack has up to
// 80 bits in play, and more with large racks; with 76 tiles no product here has more than 700.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

namespace triomino {

class Big {
   public:
    constexpr Big() = default;
    explicit constexpr Big(std::uint32_t value) : size_(value ? 1 : 0) { digit_[0] = value; }

    bool is_zero() const { return !size_; }
    int bits() const { return size_ ? 32 * size_ - std::countl_zero(digit_[std::size_t(size_ - 1)]) : 0; }
    bool bit(int number) const { return digit_[std::size_t(number / 32)] >> (number % 32) & 1; }

    // number << 32 | low
    void append(std::uint32_t low) {
        for (int i = size_; i > 0; i--) digit_[std::size_t(i)] = digit_[std::size_t(i - 1)];
        digit_[0] = low;
        size_++;
        trim();
    }
    // Keep the lowest bits.
    void keep(int bits) {
        for (int i = 0; i < size_; i++) {
            const int left = bits - 32 * i;
            if (left <= 0)
                digit_[std::size_t(i)] = 0;
            else if (left < 32)
                digit_[std::size_t(i)] &= (std::uint32_t{1} << left) - 1;
        }
        trim();
    }
    friend bool operator<(const Big& a, const Big& b) {
        if (a.size_ != b.size_) return a.size_ < b.size_;
        for (int i = a.size_ - 1; i >= 0; i--)
            if (a.digit_[std::size_t(i)] != b.digit_[std::size_t(i)])
                return a.digit_[std::size_t(i)] < b.digit_[std::size_t(i)];
        return false;
    }
    Big& operator+=(const Big& other) {
        std::uint64_t carry = 0;
        if (other.size_ > size_) size_ = other.size_;
        for (int i = 0; i < size_; i++) {
            carry += std::uint64_t{digit_[std::size_t(i)]} + other.digit_[std::size_t(i)];
            digit_[std::size_t(i)] = std::uint32_t(carry);
            carry >>= 32;
        }
        if (carry) digit_[std::size_t(size_++)] = std::uint32_t(carry);
        return *this;
    }
    // *other* must not be larger.
    Big& operator-=(const Big& other) {
        std::uint64_t borrow = 0;
        for (int i = 0; i < size_; i++) {
            const std::uint64_t less = other.digit_[std::size_t(i)] + borrow;
            borrow = digit_[std::size_t(i)] < less;
            digit_[std::size_t(i)] -= std::uint32_t(less);
        }
        trim();
        return *this;
    }
    Big& operator*=(std::uint32_t factor) {
        std::uint64_t carry = 0;
        for (int i = 0; i < size_; i++) {
            carry += std::uint64_t{digit_[std::size_t(i)]} * factor;
            digit_[std::size_t(i)] = std::uint32_t(carry);
            carry >>= 32;
        }
        if (carry) digit_[std::size_t(size_++)] = std::uint32_t(carry);
        trim();
        return *this;
    }
    friend Big operator*(const Big& a, const Big& b) {
        Big out;
        for (int i = b.size_ - 1; i >= 0; i--) {
            Big part = a;
            part *= b.digit_[std::size_t(i)];
            out.append(0);
            out += part;
        }
        return out;
    }

    // (part << 64) / whole as 64 bits, the largest of them if part is the whole.
    static std::uint64_t share(Big part, const Big& whole) {
        std::uint64_t out = 0;
        if (!(part < whole)) return ~std::uint64_t{0};
        for (int i = 0; i < 64; i++) {
            part += Big(part);
            out <<= 1;
            if (!(part < whole)) part -= whole, out |= 1;
        }
        return out;
    }

   private:
    void trim() {
        while (size_ && !digit_[std::size_t(size_ - 1)]) size_--;
    }

    static constexpr std::size_t DIGITS = 33;  // one to spare for a carry
    std::array<std::uint32_t, DIGITS> digit_{};
    int size_ = 0;
};

}  // namespace triomino
