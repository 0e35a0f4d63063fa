// Loops over batches (nests.cu) as they are found: unsigned ranges without a promise, counters of other types,
// what an iteration asks first, conditions in one and in two.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

struct span {
    unsigned x, y;
};
__device__ real opacity_of(real opacity, real x, real y) {
    return fmin(0.99, opacity * exp(-2 * (x - y) * (x - y)));
}

#define KERNEL(NAME)                                                                                         \
    BOTH("out wrt x, opacity, colour")                                                                       \
    __global__ void NAME(real *out, const real *x, const real *opacity, const real *colour,                 \
                         const span *ranges, int n)
#define SETUP                                                                                                \
    __shared__ real s_x[8], s_opacity[8];                                                                    \
    __shared__ int s_id[8];                                                                                  \
    const int i = HERE, rank = threadIdx.x;                                                                  \
    const span range = ranges[blockIdx.x];                                                                   \
    bool done = i >= n;                                                                                      \
    real p = i < n ? x[i] : 0, T = 1, sum = 0;
#define STAGE(at)                                                                                            \
    s_id[rank] = (at) % n;                                                                                   \
    s_x[rank] = x[(at) % n];                                                                                 \
    s_opacity[rank] = opacity[at];
#define BLEND(j, leave)                                                                                      \
    real alpha = opacity_of(s_opacity[j], s_x[j], p);                                                        \
    if (alpha < 1 / 255.0) continue;                                                                         \
    real next = T * (1 - alpha);                                                                             \
    if (next < 1e-4) {                                                                                       \
        done = true;                                                                                         \
        leave;                                                                                               \
    }                                                                                                        \
    sum += colour[s_id[j]] * alpha * T;                                                                      \
    T = next;
#define WRITE                                                                                                \
    if (i < n) out[i] = sum + T * 0.25;

// 3-D Gaussian splatting's batches; nobody promises that a range does not end before it begins.
BOTH("out wrt x, opacity, colour")
__global__ void as_published(real *out, const real *x, const real *opacity, const real *colour,
                             const span *ranges, int n) {
    __shared__ real s_x[8], s_opacity[8];
    __shared__ int s_id[8];
    const int i = HERE;
    const unsigned rank = threadIdx.x;
    const span range = ranges[blockIdx.x];
    const int rounds = (range.y - range.x + 8 - 1) / 8;
    int to_do = range.y - range.x;
    bool done = i >= n;
    real p = i < n ? x[i] : 0, T = 1, sum = 0;
    for (int r = 0; r < rounds; r++, to_do -= 8) {
        if (__syncthreads_count(done) == 8) break;
        int progress = r * 8 + rank;
        if (range.x + progress < range.y) {
            STAGE(range.x + progress)
        }
        __syncthreads();
        for (int j = 0; !done && j < min(8, to_do); j++) {
            BLEND(j, continue)
        }
    }
    WRITE
}

// The same in a block of two axes, whose threads are numbered, and with a range whose place is computed.
BOTH("out wrt x, opacity, colour")
__global__ void in_rows(real *out, const real *x, const real *opacity, const real *colour, const span *ranges,
                        int n, int width) {
    __shared__ real s_x[8], s_opacity[8];
    __shared__ int s_id[8];
    const unsigned rank = threadIdx.y * blockDim.x + threadIdx.x, tiles = (width + 8 - 1) / 8;
    const int i = (blockIdx.y * gridDim.x + blockIdx.x) * 8 + rank;
    const span range = ranges[blockIdx.y * tiles + blockIdx.x];
    const int rounds = (range.y - range.x + 8 - 1) / 8;
    int to_do = range.y - range.x;
    bool done = i >= n;
    real p = i < n ? x[i] : 0, T = 1, sum = 0;
    for (int r = 0; r < rounds; r++, to_do -= 8) {
        if (__syncthreads_count(done) == 8) break;
        int progress = r * 8 + rank;
        if (range.x + progress < range.y) {
            STAGE(range.x + progress)
        }
        __syncthreads();
        for (int j = 0; !done && j < min(8, to_do); j++) {
            BLEND(j, continue)
        }
    }
    WRITE
}

// A range that ends before it begins is empty.
KERNEL(of_unsigned) {
    SETUP
    for (unsigned base = range.x; base < range.y; base += 8) {
        if (__syncthreads_count(done) == 8) break;
        if (base + rank < range.y) {
            STAGE(base + rank)
        }
        __syncthreads();
        for (unsigned j = 0; !done && j < min(8u, range.y - base); j++) {
            BLEND(j, continue)
        }
    }
    WRITE
}

// gsplat's batches: offsets of tiles, whose ends nobody has looked at, and batches that are counted.
BOTH("out wrt x, opacity, colour")
__global__ void of_offsets(real *out, const real *x, const real *opacity, const real *colour,
                           const int *offsets, int n, unsigned total) {
    __shared__ real s_x[8], s_opacity[8];
    __shared__ int s_id[8];
    const int i = HERE;
    const unsigned rank = threadIdx.x, size = 8;
    const int begin = offsets[blockIdx.x], end = blockIdx.x == gridDim.x - 1 ? total : offsets[blockIdx.x + 1];
    const unsigned batches = (end - begin + size - 1) / size;
    unsigned done = i >= n;
    real p = i < n ? x[i] : 0, T = 1, sum = 0;
    for (unsigned b = 0; b < batches; ++b) {
        const unsigned start = begin + size * b, at = start + rank;
        if (at < (unsigned)end) {
            STAGE(at)
        }
        __syncthreads();
        const unsigned batch = min(size, (unsigned)end - start);
        for (unsigned j = 0; j < batch && done != 1; ++j) {
            BLEND(j, continue)
        }
        if ((unsigned)__syncthreads_count(done == 1) >= size) break;
    }
    WRITE
}

// What the nest leaves for others, as taming-3dgs its checkpoints: the function reads none of it.
BOTH("out wrt x, opacity, colour")
__global__ void for_others(real *out, int *counts, real *kept, const real *x, const real *opacity,
                           const real *colour, const span *ranges, int n) {
    SETUP
    int rows = 0;
    for (int base = range.x, end = range.y; base < end; base += 8) {
        if (__syncthreads_count(done) == 8) break;
        if (base + rank < end) {
            STAGE(base + rank)
        }
        __syncthreads();
        for (int j = 0; !done && j < min(8, end - base); j++) {
            if (j % 4 == 0) kept[24 * rows++ + i] = T;
            BLEND(j, continue)
            if (counts) atomicAdd(&counts[s_id[j]], 1);
        }
    }
    WRITE
}

#define OUTER                                                                                                \
    for (int base = range.x, end = range.y; base < end; base += 8) {                                         \
        if (__syncthreads_count(done) == 8) break;                                                           \
        if (base + rank < end) {                                                                             \
            STAGE(base + rank)                                                                               \
        }                                                                                                    \
        __syncthreads();
KERNEL(unsigned_counter) {
    SETUP OUTER
        for (unsigned j = 0; !done && j < (unsigned)min(8, end - base); j++) {
            BLEND(j, continue)
        }
    }
    WRITE
}
KERNEL(long_counter) {
    SETUP OUTER
        for (size_t j = 0; !done && (size_t)min(8, end - base) > j; j++) {
            BLEND(j, continue)
        }
    }
    WRITE
}
KERNEL(up_to_the_last) {
    SETUP OUTER
        const int last = min(8, end - base) - 1;
        for (int j = 0; j <= last && !done; j++) {
            BLEND(j, break)
        }
    }
    WRITE
}
KERNEL(of_the_list) {
    SETUP OUTER
        for (int k = base; k < min(base + 8, end) && !done; k++) {
            BLEND(k - base, continue)
        }
    }
    WRITE
}
KERNEL(counted_before) {
    SETUP OUTER
        int j = -1;
        while (!done && ++j < min(8, end - base)) {
            BLEND(j, continue)
        }
    }
    WRITE
}
KERNEL(counted_behind) {
    SETUP OUTER
        int j = 0;
        while (!done && j++ < min(8, end - base)) {
            BLEND(j - 1, continue)
        }
    }
    WRITE
}
KERNEL(asked_by_continue) {
    SETUP OUTER
        for (int j = 0; j < min(8, end - base); j++) {
            if (done) continue;
            BLEND(j, continue)
        }
    }
    WRITE
}
KERNEL(asked_by_break) {
    SETUP OUTER
        for (int j = 0; j < min(8, end - base); j++) {
            if (done) break;
            BLEND(j, continue)
        }
    }
    WRITE
}
KERNEL(asked_behind) {
    SETUP
    for (int base = range.x, end = range.y; base < end; base += 8) {
        if (base + rank < end) {
            STAGE(base + rank)
        }
        __syncthreads();
        for (int j = 0; !done && j < min(8, end - base); j++) {
            BLEND(j, continue)
        }
        if (__syncthreads_count(done) == 8) break;
    }
    WRITE
}
KERNEL(several_conditions) {
    SETUP OUTER
        for (int j = 0; !done && j < min(8, end - base); j++) {
            const real d = s_x[j] - p, power = -2 * d * d;
            if (power > -1e-12 || s_opacity[j] < 0.15) continue;
            if (power < -1) continue;
            BLEND(j, continue)
        }
    }
    WRITE
}
#define ALPHA                                                                                                \
    real alpha = s_opacity[j] * exp(-2 * (s_x[j] - p) * (s_x[j] - p));                                       \
    if (alpha < 1 / 255.0) continue;
// Nothing bounds the factor but the stop.
KERNEL(unclamped) {
    SETUP OUTER
        for (int j = 0; !done && j < min(8, end - base); j++) {
            ALPHA
            real next = T * (1 - alpha);
            if (next < 1e-4) {
                done = true;
                continue;
            }
            sum += colour[s_id[j]] * alpha * T;
            T = next;
        }
    }
    WRITE
}
// Faster-GS stops behind the update, whatever its factor was: what is below the limit is blended with.
KERNEL(stopped_behind) {
    SETUP OUTER
        for (int j = 0; !done && j < min(8, end - base); j++) {
            ALPHA
            sum += colour[s_id[j]] * alpha * T;
            T *= 1 - alpha;
            if (T < 1e-4) done = true;
        }
    }
    if (i < n) out[i] = sum + T * (0.25 + sum);
}
KERNEL(kept_behind) {
    SETUP
    int count = 0, used = 0;
    OUTER
        for (int j = 0; !done && j < min(8, end - base); j++) {
            count++;
            ALPHA
            sum += colour[s_id[j]] * alpha * T;
            T *= 1 - alpha;
            used = count;
            if (T < 1e-4) {
                done = true;
                continue;
            }
        }
    }
    if (i < n) out[i] = sum + T * 0.25 + 0.001 * used;
}
KERNEL(endless) {
    SETUP
    int base = range.x;
    const int end = range.y;
    while (true) {
        if (base >= end) break;
        if (__syncthreads_count(done) == 8) break;
        if (base + rank < end) {
            STAGE(base + rank)
        }
        __syncthreads();
        for (int j = 0; !done && j < min(8, end - base); j++) {
            BLEND(j, continue)
        }
        base += 8;
    }
    WRITE
}

// ---- one thing is different in each: as these loops have a bound, they take a tape ----
#define BOUNDED(NAME)                                                                                        \
    BOTH("out wrt x, opacity")                                                                               \
    __global__ void NAME(real *out, const real *x, const real *opacity, int n, int batches)
#define BEGIN                                                                                                \
    const int i = HERE;                                                                                      \
    if (i >= n) return;                                                                                      \
    bool done = false;                                                                                       \
    real T = 1, sum = 0;                                                                                     \
    int asked = 0;                                                                                           \
    for (int b = 0; b < batches; b++) {                                                                      \
        if (done) break;
#define STEP(j)                                                                                              \
    const real alpha = fmin(0.99, opacity[(b * 4 + j + i) % n] * x[i]), next = T * (1 - alpha);              \
    if (next < 1e-4) {                                                                                       \
        done = true;                                                                                         \
        continue;                                                                                            \
    }                                                                                                        \
    sum += alpha * T * x[(b + j) % n];                                                                       \
    T = next;
#define END                                                                                                  \
    }                                                                                                        \
    out[i] = sum + T + 0.001 * asked;
BOUNDED(alike) {
    BEGIN
        for (int j = 0; j < 4; j++) {
            if (done) continue;
            STEP(j)
        }
    END
}
// What is asked first changes something.
BOUNDED(counts_on) {
    BEGIN
        for (int j = 0; j < 4; j++) {
            if (done) {
                T *= 0.5;
                continue;
            }
            STEP(j)
        }
    END
}
// It may be false again in the next iteration.
BOUNDED(asked_anew) {
    BEGIN
        for (int j = 0; j < 4; j++) {
            if (done && j % 2) continue;
            STEP(j)
        }
    END
}

#include "nests_forms.grad.cuh"

static const std::vector<span> ordered = {{0, 21}, {21, 40}, {40, 40}},
                               spans = {{0, 21}, {21, 40}, {30, 12}};
static const std::vector<int> offsets = {0, 21, 20}; // the second is empty
#define CHECK_FORM(NAME, list)                                                                               \
    CHECK_KERNEL(NAME, 3, 8, out(24), in(24, 0.1, 0.9), in(40, 0.1, 1.2), in(24), given(list), 22)           \
    CHECK_CASE(NAME##_opaque, NAME, NAME, 1e-8, 3, 8, out(24), in(24, 0.4, 0.5), in(40, 0.9, 1.6), in(24),   \
               given(list), 22)
CHECK_FORM(as_published, ordered)
CHECK_KERNEL(in_rows, dim3(3, 1), dim3(4, 2), out(24), in(24, 0.1, 0.9), in(40, 0.1, 1.2), in(24),
             given(ordered), 22, 24)
CHECK_FORM(of_unsigned, spans)
CHECK_KERNEL(of_offsets, 3, 8, out(24), in(24, 0.1, 0.9), in(40, 0.1, 1.2), in(24), given(offsets), 22, 40u)
CHECK_KERNEL(for_others, 3, 8, out(24), given(std::vector<int>(24)), given(std::vector<real>(24 * 12)),
             in(24, 0.1, 0.9), in(40, 0.1, 1.2), in(24), given(spans), 22)
CHECK_FORM(unsigned_counter, spans)
CHECK_FORM(long_counter, spans)
CHECK_FORM(up_to_the_last, spans)
CHECK_FORM(of_the_list, spans)
CHECK_FORM(counted_before, spans)
CHECK_FORM(counted_behind, spans)
CHECK_FORM(asked_by_continue, spans)
CHECK_FORM(asked_by_break, spans)
CHECK_FORM(asked_behind, spans)
CHECK_FORM(several_conditions, spans)
CHECK_KERNEL(unclamped, 3, 8, out(24), in(24, 0.1, 0.9), in(40, 0.1, 1.1), in(24), given(spans), 22)
CHECK_CASE(unclamped_opaque, unclamped, unclamped, 1e-8, 3, 8, out(24), in(24, 0.4, 0.5), in(40, 0.6, 0.98),
           in(24), given(spans), 22)
CHECK_FORM(stopped_behind, spans)
CHECK_FORM(kept_behind, spans)
CHECK_FORM(endless, spans)
#define CHECK_BOUNDED(NAME) CHECK_KERNEL(NAME, 1, 12, out(9), in(9, 0.3, 0.9), in(9, 0.3, 1.2), 9, 5)
CHECK_BOUNDED(alike)
CHECK_BOUNDED(counts_on)
CHECK_BOUNDED(asked_anew)

TEST(what_takes_a_workspace) {
    check::array<span> ranges(ordered);
#define TAKES_NONE(NAME) (NAME##_workspace_bytes(3, 8, nullptr, nullptr, nullptr, nullptr, ranges, 22) == 0)
#define TAKES(NAME) (NAME##_workspace_bytes(1, 12, nullptr, nullptr, nullptr, 9, 1000) > 0)
    EXPECT(TAKES_NONE(as_published));
    EXPECT(in_rows_workspace_bytes(3, dim3(4, 2), nullptr, nullptr, nullptr, nullptr, ranges, 22, 24) == 0);
    EXPECT(TAKES_NONE(of_unsigned));
    check::array<int> from(offsets);
    EXPECT(of_offsets_workspace_bytes(3, 8, nullptr, nullptr, nullptr, nullptr, from, 22, 40) == 0);
    EXPECT(for_others_workspace_bytes(3, 8, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, ranges, 22) ==
           0);
    EXPECT(TAKES_NONE(unsigned_counter));
    EXPECT(TAKES_NONE(long_counter));
    EXPECT(TAKES_NONE(up_to_the_last));
    EXPECT(TAKES_NONE(of_the_list));
    EXPECT(TAKES_NONE(counted_before));
    EXPECT(TAKES_NONE(counted_behind));
    EXPECT(TAKES_NONE(asked_by_continue));
    EXPECT(TAKES_NONE(asked_by_break));
    EXPECT(TAKES_NONE(asked_behind));
    EXPECT(TAKES_NONE(several_conditions));
    EXPECT(TAKES_NONE(unclamped));
    EXPECT(TAKES_NONE(stopped_behind));
    EXPECT(TAKES_NONE(kept_behind));
    EXPECT(TAKES_NONE(endless));
    EXPECT(!TAKES(alike));
    EXPECT(TAKES(counts_on));
    EXPECT(TAKES(asked_anew));
}
TEST_MAIN
