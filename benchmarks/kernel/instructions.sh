#!/usr/bin/env bash
# Instructions a turn of the kernel, counted by callgrind: the same on every run and every machine
# of one kind, however busy. Needs g++ and valgrind. The cost of starting is taken off by counting
# a short and a long run.
set -euo pipefail
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
g++ -std=c++20 -O3 -march=x86-64-v3 -fno-tree-loop-distribute-patterns -DTRIOMINO_ARCH=v3 \
    -DTRIOMINO_HAS_V3 -I ../../native count.cpp ../../native/{engine,ledger,rules}.cpp -o "$out/count"
count() {  # tiles policy rounds
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$out/count" "$@" 2>&1 |
        awk '/^turns/ {turns = $2} /Collected/ {n = $4} END {print n, turns}'
}
for tiles in 56 76; do
    for policy in place random greedy; do
        read -r short few < <(count $tiles $policy 200)
        read -r long many < <(count $tiles $policy 1200)
        echo "$tiles tiles, $policy: $(((long - short) / (many - few))) instructions a turn"
    done
done
