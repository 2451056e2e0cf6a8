// The kernel as a WebAssembly module: memory in, memory out, one call. See calls.hpp.
#include <cstdlib>
#include <vector>

#include "calls.hpp"

namespace {

std::vector<std::int32_t> numbers, answer;

}  // namespace

extern "C" {

// Memory for the numbers of the next call.
__attribute__((export_name("prepare"))) std::int32_t* prepare(std::int32_t count) {
    numbers.resize(std::size_t(count < 0 ? 0 : count));
    return numbers.data();
}

// Carry out a call with the numbers prepared; returns how many numbers its answer has.
__attribute__((export_name("call"))) std::int32_t call(std::int32_t what) {
    answer = triomino::call(triomino::Call(what), numbers);
    return std::int32_t(answer.size());
}

// The answer to the last call.
__attribute__((export_name("answer"))) const std::int32_t* answer_at() { return answer.data(); }
}

// The library's own would need a console to write to.
namespace std {
inline namespace __1 {
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) noexcept { std::abort(); }
}  // namespace __1
}  // namespace std
