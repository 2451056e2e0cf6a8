// Reading the weights of the network. Compiled for the baseline instruction set.
#include "network.hpp"

#include <cstring>

namespace triomino {

namespace {

constexpr char MAGIC[8] = {'t', 'r', 'i', 'o', 'n', 'e', 't', '2'};

template <class Number, std::size_t Bytes>
std::int32_t little_endian(const std::uint8_t* from) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < Bytes; i++) bits |= std::uint32_t(from[i]) << (8 * i);
    return Number(bits);
}

// Fill an array of any shape, as consecutive numbers of its own size.
template <class Array, class Number>
const std::uint8_t* read_numbers(Array& array, Number* to, const std::uint8_t* from) {
    for (std::size_t i = 0; i < sizeof array / sizeof(Number); i++, from += sizeof(Number))
        to[i] = Number(little_endian<Number, sizeof(Number)>(from));
    return from;
}

}  // namespace

const char* Network::load(const std::uint8_t* bytes, std::size_t size) {
    constexpr std::size_t wanted = sizeof MAGIC + sizeof input + sizeof input_bias + sizeof hidden +
                                   sizeof hidden_bias + sizeof head + sizeof head_bias + sizeof chance;
    if (size != wanted || std::memcmp(bytes, MAGIC, sizeof MAGIC) != 0) return "these are no weights of this network";
    const std::uint8_t* at = bytes + sizeof MAGIC;
    at = read_numbers(input, &input[0][0][0], at);
    at = read_numbers(input_bias, &input_bias[0][0], at);
    at = read_numbers(hidden, &hidden[0][0][0], at);
    at = read_numbers(hidden_bias, &hidden_bias[0][0], at);
    at = read_numbers(head, &head[0][0][0], at);
    at = read_numbers(head_bias, &head_bias[0][0], at);
    read_numbers(chance, &chance[0], at);
    return nullptr;
}

}  // namespace triomino
