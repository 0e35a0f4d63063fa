/*
 * random_exact.cuh - keeps what an emitted gradient adds to exact sums, and what each is rounded to, for
 * exact_log.py to say what rational arithmetic makes of it.
 *
 * Between GW_LOG_EXACT_SUMS and GW_LOG_NO_MORE (program.py), the emitted text's calls of emitted/exact.cuh
 * come here first. A number of shared memory is known by its block, too. On the CPU device only, where the host
 * reads the adjoints.
 */
#ifndef GW_TESTS_RANDOM_EXACT_CUH
#define GW_TESTS_RANDOM_EXACT_CUH

#include <gradwright/emitted/exact.cuh>
#include <gradwright/emitted/exact_table.cuh>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

namespace exact_log {

enum { MOST = 1 << 20 };
enum kind { ADDED, SETTLED };

/* bits: of what is added; of a sum, what the number held before. */
struct event {
    const void *number;
    size_t block; /* 0: memory of all blocks */
    kind what;
    char type;
    unsigned long long bits, result;
};

#ifdef GW_CPU_DEVICE
static __device__ event events[MOST];
static __device__ unsigned int count;

template <class T> __host__ __device__ unsigned long long bits_of(T value) {
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <class T> constexpr char letter = sizeof(T) == sizeof(float) ? 'f' : 'd';

template <class T> __device__ void keep(kind what, const T *number, size_t block, T value, T result) {
    const unsigned int at = atomicAdd(&count, 1u);
    if (at < MOST) events[at] = {number, block, what, letter<T>, bits_of(value), bits_of(result)};
}

inline __device__ size_t this_block() {
    return 1 + ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

template <class I, class T>
__host__ __device__ void add(const I &into, T *number, typename gw_exactly<T>::gw_type value) {
#ifdef __CUDA_ARCH__
    keep<T>(ADDED, number, 0, value, T(0));
#endif
    gw_exact_add(into, number, value);
}
template <class T>
__device__ void add(const gw_exact_blocks<T> &into, void *array, T *number,
                    typename gw_exactly<T>::gw_type value) {
    keep<T>(ADDED, number, this_block(), value, T(0));
    gw_exact_add(into, array, number, value);
}

template <class I, class T> __host__ __device__ void settle(const I &whose, T *number) {
#ifdef __CUDA_ARCH__
    const T before = *number;
    gw_exact_settle(whose, number);
    keep<T>(SETTLED, number, 0, before, *number);
#else
    gw_exact_settle(whose, number);
#endif
}
template <class T> __device__ void settle(const gw_exact_blocks<T> &whose, void *array, T *number) {
    const T before = *number;
    gw_exact_settle(whose, array, number);
    keep<T>(SETTLED, number, this_block(), before, *number);
}

/* Each thread has its numbers, and nobody else changes them: the caller has a barrier on either side. The array
 * may be shorter than its accumulators say. */
template <class T> __device__ void settle_all(const gw_exact_blocks<T> &whose, void *array) {
    T *const numbers = static_cast<T *>(array);
    const gw_exact<T> *const sums = gw_exact_own(whose, array).gw_sums;
    const size_t threads = (size_t)blockDim.x * blockDim.y * blockDim.z,
                 first = (threadIdx.z * blockDim.y + threadIdx.y) * (size_t)blockDim.x + threadIdx.x;
    for (size_t i = first; i < whose.gw_length; i += threads)
        if (!gw_exact_is_clear(sums[i])) settle(whose, array, &numbers[i]);
}

/* The sum of one number, since it was rounded the last time. */
struct open_sum {
    std::vector<unsigned long long> values;
    char type;
};
typedef std::map<std::pair<const void *, size_t>, open_sum> open_sums;

inline void say(const open_sum &sum, unsigned long long before, unsigned long long result) {
    std::printf("exact %c %llx %llx", sum.type, before, result);
    for (unsigned long long value : sum.values) std::printf(" %llx", value);
    std::printf("\n");
}

/* What the threads did, in their order; leaves the sums of memory that are not rounded yet. */
inline open_sums played() {
    open_sums open;
    void *log = nullptr, *length = nullptr;
    if (cudaGetSymbolAddress(&log, events) != cudaSuccess ||
        cudaGetSymbolAddress(&length, count) != cudaSuccess)
        return open; /* the launch has failed, for good */
    unsigned int &number = *static_cast<unsigned int *>(length);
    if (number > MOST) std::printf("exact log full\n"), std::exit(1);
    for (unsigned int i = 0; i < number; i++) {
        const event &e = static_cast<const event *>(log)[i];
        open_sum &sum = open[{e.number, e.block}];
        sum.type = e.type;
        if (e.what == ADDED) {
            sum.values.push_back(e.bits);
            continue;
        }
        say(sum, e.bits, e.result);
        sum.values.clear();
    }
    number = 0;
    return open;
}

inline unsigned long long held(const void *number, char type) {
    return type == 'f' ? bits_of(*static_cast<const float *>(number))
                       : bits_of(*static_cast<const double *>(number));
}

template <class... L> gw_status sum(const char *name, cudaStream_t stream, const L &...lists) {
    cudaDeviceSynchronize();
    const open_sums open = played();
    std::vector<unsigned long long> before;
    for (const auto &o : open) before.push_back(o.first.second ? 0 : held(o.first.first, o.second.type));
    const gw_status status = gw_exact_sum(name, stream, lists...);
    cudaDeviceSynchronize();
    size_t k = 0;
    for (const auto &o : open) {
        const unsigned long long held_before = before[k++];
        if (!o.first.second) say(o.second, held_before, held(o.first.first, o.second.type));
    }
    return status;
}

/* The end of a gradient; sums of shared memory that nobody read are forgotten. */
inline void end() { played(); }
#else
inline void end() {}
#endif

} // namespace exact_log

#endif
