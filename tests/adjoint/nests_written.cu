// Loops over batches (nests.cu) in other words: stops that are breaks, whiles, numbers of the source.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

__device__ real opacity_of(real opacity, real x, real y) {
    return fmin(0.99, opacity * exp(-2 * (x - y) * (x - y)));
}

// As gsplat has it: the stop is a break, which a flag tells; a while goes through the batches.
BOTH("out wrt x, opacity, colour")
__global__ void broken(real *out, int *last_ids, const real *x, const real *opacity, const real *colour,
                       const int *from, int n) {
    __shared__ real s_x[8], s_opacity[8];
    __shared__ int s_id[8];
    int i = HERE, t = threadIdx.x, current = 0, base = from[blockIdx.x], end = from[blockIdx.x + 1];
    bool done = i >= n;
    real p = i < n ? x[i] : 0, T = 1, sum = 0;
    while (base < end) {
        if (__syncthreads_count(done) >= 8) break;
        if (base + t < end) {
            s_id[t] = (base + t) % n;
            s_x[t] = x[(base + t) % n];
            s_opacity[t] = opacity[base + t];
        }
        __syncthreads();
        int size = min(8, end - base);
        for (int j = 0; j < size && !done; ++j) {
            real alpha = opacity_of(s_opacity[j], s_x[j], p);
            if (alpha < 1 / 255.0) continue;
            real next = T * (1 - alpha);
            if (next <= 1e-4) {
                done = true;
                break;
            }
            sum += colour[s_id[j]] * alpha * T;
            current = base + j;
            T = next;
        }
        base += 8;
    }
    if (i < n) {
        last_ids[i] = current;
        out[i] = sum + T * T;
    }
}

// As 3-D Gaussian splatting is published: ranges of unsigned numbers. That begin + progress < end where j < end
// - begin holds only if no range ends before it begins, and begin + progress does not wrap around: the promise
// says so (without it: as_published of nests_forms.cu).
struct span {
    unsigned x, y;
};
BOTH("out wrt x, opacity, colour")
GW_DISJOINT_RANGES(ranges) __global__ void promised(real *out, const real *x, const real *opacity,
                                                    const real *colour, const span *ranges, unsigned n) {
    __shared__ real collected_x[8], collected_opacity[8];
    __shared__ int collected_id[8];
    unsigned i = HERE, rank = threadIdx.x;
    span range = ranges[blockIdx.x];
    const int rounds = (range.y - range.x + 8 - 1) / 8;
    int to_do = range.y - range.x;
    bool inside = i < n, done = !inside;
    real p = inside ? x[i] : 0, T = 1, sum = 0;
    for (int r = 0; r < rounds; r++, to_do -= 8) {
        if (__syncthreads_count(done) == 8) break;
        int progress = r * 8 + rank;
        if (range.x + progress < range.y) {
            collected_id[rank] = (range.x + progress) % n;
            collected_x[rank] = x[(range.x + progress) % n];
            collected_opacity[rank] = opacity[range.x + progress];
        }
        __syncthreads();
        for (int j = 0; !done && j < min(8, to_do); j++) {
            real alpha = opacity_of(collected_opacity[j], collected_x[j], p);
            if (alpha < 1 / 255.0) continue;
            real test_T = T * (1 - alpha);
            if (test_T < 1e-4) {
                done = true;
                continue;
            }
            sum += colour[collected_id[j]] * alpha * T;
            T = test_T;
        }
    }
    if (inside) out[i] = sum + T * 0.25;
}

// gsplat's own ranges, from offsets, with what is missing to their proof: nothing says of the last one, nor of
// a first that is negative, that it is a range.
BOTH("out wrt x, opacity, colour")
__global__ void offsets_clamped(real *out, const real *x, const real *opacity, const real *colour,
                                const int *offsets, unsigned total, unsigned tiles, unsigned n) {
    __shared__ real collected_x[8], collected_opacity[8];
    __shared__ int collected_id[8];
    const unsigned i = HERE, rank = threadIdx.x, size = 8;
    int tile = blockIdx.x, range_start = offsets[tile],
        range_end = (unsigned)tile == tiles - 1 ? (int)total : offsets[tile + 1];
    range_start = max(range_start, 0);
    range_end = max(range_end, range_start);
    unsigned batches = (range_end - range_start + size - 1) / size;
    bool inside = i < n, done = !inside;
    real p = inside ? x[i] : 0, T = 1, sum = 0;
    for (unsigned b = 0; b < batches; ++b) {
        if ((unsigned)__syncthreads_count(done) >= size) break;
        unsigned batch_start = range_start + size * b, at = batch_start + rank;
        if (at < (unsigned)range_end) {
            collected_id[rank] = at % n;
            collected_x[rank] = x[at % n];
            collected_opacity[rank] = opacity[at];
        }
        __syncthreads();
        unsigned batch = min(size, range_end - batch_start);
        for (unsigned t = 0; t < batch && !done; ++t) {
            real alpha = opacity_of(collected_opacity[t], collected_x[t], p);
            if (alpha < 1 / 255.0) continue;
            real next_T = T * (1 - alpha);
            if (next_T <= 1e-4) {
                done = true;
                break;
            }
            sum += colour[collected_id[t]] * alpha * T;
            T = next_T;
        }
    }
    if (inside) out[i] = sum + T * 0.25;
}

#define NOTHING (void)0
// ---- how loops are written: the first five come to the same, the others must not ----
#define LEFT(NAME, OUTER, BATCH, INNER, FIRST, STOP, AFTER, END)                                               \
    BOTH("out wrt x, opacity")                                                                                 \
    __global__ void NAME(real *out, const real *x, const real *opacity, int n, int batches) {                  \
        int i = HERE, b = 0, seen = 0;                                                                         \
        if (i >= n) return;                                                                                    \
        bool done = false;                                                                                     \
        real T = 1, sum = 0;                                                                                   \
        OUTER {                                                                                                \
            BATCH;                                                                                             \
            int j = 0;                                                                                         \
            INNER {                                                                                            \
                FIRST;                                                                                         \
                int k = (b * 4 + j + i) % n;                                                                   \
                real alpha = opacity_of(opacity[k], x[k], x[i]);                                               \
                if (alpha < 0.05) continue;                                                                    \
                real next = T * (1 - alpha);                                                                   \
                if (next < 0.03) {                                                                             \
                    done = true;                                                                               \
                    STOP;                                                                                      \
                }                                                                                              \
                sum += x[k] * alpha * T;                                                                       \
                T = next;                                                                                      \
            }                                                                                                  \
            AFTER;                                                                                             \
        }                                                                                                      \
        out[i] = sum + T * T + 0.125 * (END + seen);                                                           \
    }
#define COUNTED for (; b < batches; b++)
#define ASKING for (; j < 4 && !done; j++)
LEFT(breaks, COUNTED, NOTHING, ASKING, NOTHING, break, NOTHING, 0)
LEFT(unasked, while (b < batches && !done), NOTHING, for (; j < 4; j++), NOTHING, break, b++, 0)
LEFT(left_first, COUNTED, if (done) break, for (; j < 4; j++), NOTHING, break, NOTHING, 0)
LEFT(whiles, while (b < batches && !done), NOTHING, ASKING, NOTHING, continue, b++, 0)
LEFT(batch_is_read, while (b < batches && !done), NOTHING, ASKING, NOTHING, break, b++, b)
LEFT(breaks_too, COUNTED, NOTHING, ASKING, if (j > b) break, break, NOTHING, 0)
LEFT(break_of_batch, COUNTED, NOTHING, for (; j < 4; j++), NOTHING, break, NOTHING, done)
LEFT(no_break, COUNTED, NOTHING, for (; j < 4; j++), NOTHING, continue, NOTHING, done)
LEFT(counter_is_read, COUNTED, NOTHING, ASKING, NOTHING, break, seen += j, 0)
LEFT(other_rest, while (b < batches && sum < 0.6), NOTHING, ASKING, NOTHING, break, b++, 0)

#include "nests_written.grad.cuh"

static const std::vector<int> nobody_there(14, 0);
#ifdef GW_TEST_WITHOUT // their tapes are measured
#define CHECK_ROWS(name, kernel, grid, ...)                                                                    \
    CHECK_ROW(case_##name, #name,                                                                              \
              check::run_row(t, gw_row_check, CHECK_ROW_MEASURED(kernel, kernel, check::launch(grid, 8)),      \
                             {__VA_ARGS__}))
#else
#define CHECK_ROWS(name, kernel, grid, ...) CHECK_CASE(name, kernel, kernel, 1e-8, grid, 8, __VA_ARGS__)
#endif
CHECK_ROWS(broken, broken, 2, out(14), given(nobody_there), in(14, 0.1, 0.9), in(40, 0.1, 1.2), in(14),
             list({0, 21, 40}), 14)
CHECK_ROWS(broken_opaque, broken, 2, out(14), given(nobody_there), in(14, 0.4, 0.5),
           in(40, 0.9, 1.6), in(14), list({0, 21, 40}), 14)
static const std::vector<span> spans = {{0, 21}, {21, 40}, {40, 40}};
CHECK_ROWS(promised, promised, 3, out(24), in(24, 0.1, 0.9), in(40, 0.1, 1.2), in(24), given(spans), 22u)
CHECK_ROWS(promised_opaque, promised, 3, out(24), in(24, 0.4, 0.5), in(40, 0.9, 1.6), in(24),
           given(spans), 22u)
#ifndef GW_TEST_WITHOUT // as the host bounds its loop, the tape takes 150 GB
CHECK_KERNEL(offsets_clamped, 3, 8, out(24), in(24, 0.1, 0.9), in(40, 0.1, 1.2), in(24),
             given(std::vector<int>{0, 21, 40}), 40u, 3u, 22u)
CHECK_CASE(offsets_opaque, offsets_clamped, offsets_clamped, 1e-8, 3, 8, out(24), in(24, 0.4, 0.5),
           in(40, 0.9, 1.6), in(24), given(std::vector<int>{0, 21, 40}), 40u, 3u, 22u)
#endif
#define CHECK_NEST(NAME) CHECK_KERNEL(NAME, 1, 12, out(9), in(9, 0.1, 0.9), in(9, 0.1, 0.8), 9, 5)
CHECK_NEST(breaks)
CHECK_NEST(unasked)
CHECK_NEST(left_first)
CHECK_NEST(whiles)
CHECK_NEST(batch_is_read)
CHECK_NEST(breaks_too)
CHECK_NEST(break_of_batch)
CHECK_NEST(no_break)
CHECK_NEST(counter_is_read)
CHECK_NEST(other_rest)

#ifndef GW_TEST_WITHOUT
TEST(what_takes_a_workspace) {
#define TAKES(NAME) (NAME##_workspace_bytes(1, 12, nullptr, nullptr, nullptr, 9, 1000) > 0)
    check::array<span> ranges(spans);
    EXPECT(promised_workspace_bytes(3, 8, nullptr, nullptr, nullptr, nullptr, ranges, 22) == 0);
    EXPECT(offsets_clamped_workspace_bytes(3, 8, nullptr, nullptr, nullptr, nullptr, nullptr, 40, 3, 22) == 0);
    EXPECT(broken_workspace_bytes(2, 8, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 14) == 0);
    EXPECT(!TAKES(breaks));
    EXPECT(!TAKES(unasked));
    EXPECT(!TAKES(left_first));
    EXPECT(!TAKES(whiles));
    EXPECT(!TAKES(batch_is_read));
    EXPECT(TAKES(breaks_too));
    EXPECT(TAKES(break_of_batch));
    EXPECT(TAKES(no_break));
    EXPECT(TAKES(counter_is_read));
    EXPECT(TAKES(other_rest));
#ifdef GW_TEST_SPLIT
    // Of each thread two numbers, and how much it has stored (nests.cu).
    EXPECT((breaks_tape_bytes(64, 32, nullptr, nullptr, nullptr, 9, 1000) -
            breaks_tape_bytes(32, 32, nullptr, nullptr, nullptr, 9, 1000)) /
               1024.0 ==
           8 + 8 + 4);
#endif
}
#endif
TEST_MAIN
