/*
 * Included before all else: the loops of libstdc++'s serial backend in threads of the test's own, all of which
 * ThreadSanitizer sees (it does not see what TBB's library waits for).
 */
#ifndef TESTS_PARALLEL_THREADS_H
#define TESTS_PARALLEL_THREADS_H
#include <algorithm>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#define __parallel_for __parallel_for_of_library
#include <pstl/parallel_backend_serial.h>
#undef __parallel_for

namespace __pstl {
namespace __serial_backend {
template <class P, class Index, class F> void __parallel_for(P &&, Index first, Index last, F f) {
    enum { THREADS = 4 };
    std::vector<std::thread> threads;
    const auto n = last - first;
    for (int t = 0; t < THREADS; t++)
        threads.emplace_back([=] { f(first + n * t / THREADS, first + n * (t + 1) / THREADS); });
    for (std::thread &t : threads)
        t.join();
}
} // namespace __serial_backend
} // namespace __pstl
#endif
