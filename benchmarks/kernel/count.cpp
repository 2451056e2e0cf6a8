// Plays rounds and nothing else, for benchmarks/kernel/instructions.sh. Arguments: tiles, policy, rounds;
// with a fourth argument it also prints rounds per second of processor time.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "engine.hpp"

int main(int count, char** given) {
    if (count < 4) return 2;
    const int tiles = std::atoi(given[1]);
    const auto policy = !std::strcmp(given[2], "place")    ? triomino::Policy::PLACE
                        : !std::strcmp(given[2], "greedy") ? triomino::Policy::GREEDY
                                                           : triomino::Policy::RANDOM;
    const std::size_t rounds = std::size_t(std::atol(given[3]));
    triomino::Rules rules;
    rules.tiles = tiles;
    rules.racks = {0, 0, 9, 7, 7, 6, 6};
    std::vector<std::int32_t> scores(2 * rounds), turns(rounds);
    std::vector<std::uint8_t> small(7 * rounds);
    const triomino::RoundResults out{scores.data(),
                                     turns.data(),
                                     small.data(),
                                     small.data() + 2 * rounds,
                                     small.data() + 4 * rounds,
                                     small.data() + 5 * rounds,
                                     small.data() + 6 * rounds};
    const std::clock_t start = std::clock();
    triomino::v3::engine(tiles).playouts(rules, 2, policy, 1, 0, std::int64_t(rounds), out);
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    long sum = 0;
    for (int each : turns) sum += each;
    if (count > 4)
        std::printf("%.0f rounds/s, %.1f ns a turn\n", double(rounds) / seconds, seconds / double(sum) * 1e9);
    std::printf("turns %ld\n", sum);
}
