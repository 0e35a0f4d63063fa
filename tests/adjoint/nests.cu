// Loops over batches whose reverse needs what they ended with and nothing of their iterations, and such ones
// that need more.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

__device__ real opacity_of(real opacity, real x, real y) {
    return fmin(0.99, opacity * exp(-2 * (x - y) * (x - y)));
}

// ---- staged in shared memory, until all threads of the block are done; as many batches as there are ----
BOTH("out wrt x, opacity, colour")
__global__ void staged(real *out, const real *x, const real *opacity, const real *colour, const int *from,
                       int n) {
    __shared__ real s_x[8], s_opacity[8];
    __shared__ int s_id[8];
    int i = HERE, t = threadIdx.x, end = from[blockIdx.x + 1];
    bool done = i >= n;
    real p = i < n ? x[i] : 0, T = 1, sum = 0;
    int count = 0, last = 0;
    for (int base = from[blockIdx.x]; base < end; base += 8) {
        if (__syncthreads_and(done)) break;
        if (base + t < end) {
            s_id[t] = (base + t) % n;
            s_x[t] = x[(base + t) % n];
            s_opacity[t] = opacity[base + t];
        }
        __syncthreads();
        int most = min(8, end - base);
        for (int j = 0; !done && j < most; j++) {
            count++;
            real alpha = opacity_of(s_opacity[j], s_x[j], p);
            if (alpha < 1 / 255.0) continue;
            real next = T * (1 - alpha);
            if (next < 1e-4) {
                done = true;
                continue;
            }
            sum += colour[s_id[j]] * alpha * T;
            T = next;
            last = count;
        }
    }
    if (i < n) out[i] = sum + T * T + 0.125 * last;
}

// As it is published: what is left to do is counted down, behind the break; colours are in an array; numbers
// without a sign.
BOTH("out wrt x, opacity, colour")
__global__ void published(real *out, unsigned *contributors, const real *x, const real *opacity,
                          const real *colour, const int *from, int n) {
    __shared__ real collected_x[8], collected_opacity[8];
    __shared__ int collected_id[8];
    int i = HERE, rank = threadIdx.x, begin = from[blockIdx.x], end = from[blockIdx.x + 1];
    const int rounds = (end - begin + 7) / 8;
    int to_do = end - begin;
    bool inside = i < n, done = !inside;
    real p = inside ? x[i] : 0, T = 1, C[2] = {0};
    unsigned contributor = 0, last_contributor = 0;
    for (int r = 0; r < rounds; r++, to_do -= 8) {
        int num_done = __syncthreads_count(done);
        if (num_done == 8) break;
        int progress = r * 8 + rank;
        if (begin + progress < end) {
            collected_id[rank] = (begin + progress) % n;
            collected_x[rank] = x[(begin + progress) % n];
            collected_opacity[rank] = opacity[begin + progress];
        }
        __syncthreads();
        for (int j = 0; !done && j < min(8, to_do); j++) {
            contributor++;
            real alpha = opacity_of(collected_opacity[j], collected_x[j], p);
            if (alpha < 1 / 255.0) continue;
            real test_T = T * (1 - alpha);
            if (test_T < 1e-4) {
                done = true;
                continue;
            }
            for (int c = 0; c < 2; c++) C[c] += colour[collected_id[j] * 2 + c] * alpha * T;
            T = test_T;
            last_contributor = contributor;
        }
    }
    if (inside) {
        contributors[i] = last_contributor;
        for (int c = 0; c < 2; c++) out[c * n + i] = C[c] + T * 0.25;
    }
}

// No barrier; the thread leaves the batches by itself; read by the test's opposite, before the update.
BOTH("out wrt x, opacity")
__global__ void unstaged(real *out, const real *x, const real *opacity, const int *from, int n) {
    int i = HERE, count = 0, last = 0;
    if (i >= n) return;
    bool done = false;
    real T = 1, sum = 0;
    for (int base = from[i]; base < from[i + 1]; base += 3) {
        if (done) break;
        for (int j = 0; j < min(3, from[i + 1] - base) && !done; ++j) {
            ++count;
            real alpha = opacity_of(opacity[base + j], x[base + j], x[i]), weight = alpha * T;
            if (T * (1 - alpha) >= 1e-4) {
                sum += weight * weight;
                T *= 1 - alpha;
                last = count;
            } else {
                done = true;
            }
        }
    }
    out[i] = sum + T + 0.125 * last;
}

// ---- the outputs are what the second half of a split gradient needs, instead of a tape ----
#ifdef GW_TEST_SPLIT
#define KEEPING(request, outputs) JOINED(request) GW_SPLIT_GRADIENT(request " with " outputs)
#else
#define KEEPING(request, outputs) JOINED(request)
#endif

// Threads outside of the picture store nothing, and go through the batches with the others.
KEEPING("out wrt x, opacity", "final_t, lasts")
__global__ void keeping(real *out, real *final_t, int *lasts, const real *x, const real *opacity, int width,
                        int batches) {
    __shared__ real s_x[8], s_opacity[8];
    int i = HERE, t = threadIdx.x, count = 0, last = 0;
    bool inside = i < width, done = !inside;
    real p = 0.25 + 0.01 * i, T = 1, sum = 0;
    for (int b = 0; b < batches; b++) {
        if (__syncthreads_count(done) == 8) break;
        s_x[t] = x[b * 8 + t];
        s_opacity[t] = opacity[b * 8 + t];
        __syncthreads();
        for (int j = 0; !done && j < 8; j++) {
            count++;
            real alpha = opacity_of(s_opacity[j], s_x[j], p), next = T * (1 - alpha);
            if (next < 1e-4) {
                done = true;
                continue;
            }
            sum += s_x[j] * alpha * T;
            T = next;
            last = count;
        }
    }
    if (inside) {
        final_t[i] = T;
        lasts[2 * i + 1] = last;
        out[i] = sum + T * 0.5;
    }
}

// Values outside of nests: a running product that a loop stores on the tape, and its end, which an output
// holds.
KEEPING("out wrt x", "ends")
__global__ void squares(real *out, real *ends, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < 3; k++) v = v * x[k] + 0.5;
    ends[i] = v;
    out[i] = v * v * v;
}

// The value that is undone carries no derivative, so what decides may stand at the very border of its branches.
BOTH("out wrt colour")
__global__ void border(real *out, const real *colour, const int *percent, int n, int batches) {
    int i = HERE, count = 0, last = 0;
    if (i >= n) return;
    bool done = false;
    real T = 1, sum = 0;
    for (int b = 0; b < batches; b++)
        for (int j = 0; !done && j < 4; j++) {
            count++;
            int k = (b * 4 + j + i) % n;
            real alpha = fmin(0.99, percent[k] / 100.0);
            if (alpha < 0.01) continue; // 1 percent: just in
            real next = T * (1 - alpha);
            if (next < 1e-4) { // after 99 percent twice: just not
                done = true;
                continue;
            }
            sum += colour[k] * alpha * T;
            T = next;
            last = count;
        }
    out[i] = sum * sum + T + 0.125 * last;
}

// ---- nobody counts: the derivative numbers the iterations itself ----
BOTH("out wrt x, opacity, colour")
__global__ void uncounted(real *out, const real *x, const real *opacity, const real *colour, const int *from,
                          int n) {
    __shared__ real s_x[8], s_opacity[8];
    int i = HERE, t = threadIdx.x, end = from[blockIdx.x + 1];
    bool done = i >= n;
    real p = i < n ? x[i] : 0, T = 1, sum[2] = {0};
    for (int base = from[blockIdx.x]; base < end; base += 8) {
        if (__syncthreads_and(done)) break;
        if (base + t < end) {
            s_x[t] = x[(base + t) % n];
            s_opacity[t] = opacity[base + t];
        }
        __syncthreads();
        for (int j = 0; !done && j < min(8, end - base); j++) {
            real alpha = opacity_of(s_opacity[j], s_x[j], p);
            if (alpha < 1 / 255.0) continue;
            real next = T * (1 - alpha);
            if (next < 1e-4) {
                done = true;
                continue;
            }
            for (int c = 0; c < 2; c++) sum[c] += colour[(base + j) % n] * (c + 1) * alpha * T;
            T = next;
        }
    }
    if (i < n) out[i] = sum[0] * sum[1] + T * T;
}

// The number of the last one is kept as an index, which an output holds; no batch asks whether the others are
// done; unsigned.
BOTH("out wrt x, opacity")
__global__ void indexed(real *out, int *last_ids, const real *x, const real *opacity, unsigned n,
                        unsigned batches) {
    __shared__ real s_x[8], s_opacity[8];
    unsigned i = HERE, t = threadIdx.x, current = 0;
    bool done = i >= n;
    real p = 0.25 + 0.01 * i, T = 1, sum = 0;
    for (unsigned b = 0; b < batches; b++) {
        unsigned start = b * 8;
        __syncthreads();
        s_x[t] = x[start + t];
        s_opacity[t] = opacity[start + t];
        __syncthreads();
        for (unsigned j = 0; j < 8 && !done; ++j) {
            real alpha = opacity_of(s_opacity[j], s_x[j], p), next = T * (1 - alpha);
            if (next < 1e-4) {
                done = true;
                continue;
            }
            sum += s_x[j] * alpha * T;
            T = next;
            current = start + j;
        }
    }
    if (i < n) {
        last_ids[i] = current;
        out[i] = sum + T;
    }
}

// T is in an output: one number of each thread is left to store.
KEEPING("out wrt x, opacity", "final_t")
__global__ void number_only(real *out, real *final_t, const real *x, const real *opacity, int n, int batches) {
    int i = HERE;
    if (i >= n) return;
    bool done = false;
    real T = 1, sum = 0;
    for (int b = 0; b < batches; b++)
        for (int j = 0; !done && j < 4; j++) {
            int k = (b * 4 + j + i) % n;
            real alpha = opacity_of(opacity[k], x[k], x[i]), next = T * (1 - alpha);
            if (next < 0.03) {
                done = true;
                continue;
            }
            sum += x[k] * alpha * T;
            T = next;
        }
    final_t[i] = T;
    out[i] = sum + T * T;
}

// The inner loop's counter starts behind 0, and is wider than the numbers.
BOTH("out wrt x, opacity")
__global__ void wide(real *out, const real *x, const real *opacity, int n, long long rows) {
    int i = HERE;
    if (i >= n) return;
    bool done = false;
    real T = 1, sum = 0;
    for (int b = 0; b < rows; b++)
        for (long long j = b - 2; !done && j < 3; j++) {
            real alpha = opacity_of(opacity[(j + 2 + i) % n], x[(j + 2 + i) % n], x[i]), next = T * (1 - alpha);
            if (next < 1e-3) {
                done = true;
                continue;
            }
            sum += x[b] * alpha * T;
            T = next;
        }
    out[i] = sum * T;
}

// ---- one thing is different in each. The source's numbers may do or not: some need a tape for other reasons
// ----
#define NEST(NAME, START, BATCH, CONDITION, COUNT, STOP, EFFECT, AFTER)                                        \
    BOTH("out wrt x, opacity")                                                                                 \
    __global__ void NAME(real *out, const real *x, const real *opacity, int n, int batches) {                  \
        int i = HERE, count = START, last = START;                                                             \
        if (i >= n) return;                                                                                    \
        bool done = false;                                                                                     \
        real T = 1, sum = 0, more = 0;                                                                         \
        for (int b = 0; b < batches; b++) {                                                                    \
            BATCH;                                                                                             \
            for (int j = 0; !done && CONDITION; j++) {                                                         \
                COUNT;                                                                                         \
                int k = (b * 4 + j + i) % n;                                                                   \
                real alpha = opacity_of(opacity[k], x[k], x[i]);                                               \
                if (alpha < 0.05) continue;                                                                    \
                real next = T * (1 - alpha);                                                                   \
                if (next < 0.03) {                                                                             \
                    done = true;                                                                               \
                    STOP;                                                                                      \
                    continue;                                                                                  \
                }                                                                                              \
                sum += x[k] * alpha * T;                                                                       \
                T = next;                                                                                      \
                EFFECT;                                                                                        \
            }                                                                                                  \
            AFTER;                                                                                             \
        }                                                                                                      \
        out[i] = sum + T * T + more + 0.125 * last;                                                            \
    }

#define NOTHING (void)0
#define LAST last = count
NEST(kept, 0, NOTHING, j < 4, count++, NOTHING, LAST, NOTHING)
NEST(flag_is_reset, 0, done = done && b % 3 > 0, j < 4, count++, NOTHING, LAST, NOTHING)
NEST(starts_anew, 0, T = 1, j < 4, count++, NOTHING, LAST, more += T * T)
NEST(other_start, 1, NOTHING, j < 4, count++, NOTHING, LAST, NOTHING)
NEST(counts_some, 0, NOTHING, j < 4, count += b & 1, NOTHING, LAST, NOTHING)
NEST(counts_twice, 0, NOTHING, j < 4, count += 2, NOTHING, LAST, NOTHING)
NEST(notes_before, 0, NOTHING, j < 4, LAST; count++, NOTHING, NOTHING, NOTHING)
NEST(notes_some, 0, NOTHING, j < 4, count++, NOTHING, if (k & 1) LAST, NOTHING)
NEST(notes_the_stop, 0, NOTHING, j < 4, count++, LAST, LAST, NOTHING)
NEST(notes_all, 0, NOTHING, j < 4, count++; LAST, NOTHING, NOTHING, NOTHING)
NEST(notes_nothing, 0, NOTHING, j < 4, NOTHING, NOTHING, LAST, NOTHING)
NEST(effect_elsewhere, 0, NOTHING, j < 4, count++; more += T * x[j], NOTHING, LAST, NOTHING)
NEST(effect_of_stop, 0, NOTHING, j < 4, count++, more += T * T, LAST, NOTHING)
NEST(effect_of_batch, 0, NOTHING, j < 4, count++, NOTHING, LAST, more += T * T)
NEST(other_end, 0, NOTHING, (j < 4 && x[j] < 0.8), count++, NOTHING, LAST, NOTHING)
NEST(end_moves, 0, NOTHING, (j < 4 && j < 3 + last % 2), count++, NOTHING, LAST, NOTHING)
NEST(other_break, 0, if (b > 0 && x[b] * x[i] > 0.3) break, j < 4, count++, NOTHING, LAST, NOTHING)
NEST(left_by_sum, 0, if (sum > 0.8) break, j < 4, count++, NOTHING, LAST, NOTHING)

#include "nests.grad.cuh"

CHECK_KERNEL(staged, 2, 8, out(14), in(14, 0.1, 0.9), in(40, 0.1, 1.2), in(14), list({0, 21, 40}), 14)
CHECK_CASE(staged_opaque, staged, staged, 1e-8, 2, 8, out(14), in(14, 0.4, 0.5), in(40, 0.9, 1.6), in(14),
           list({0, 21, 40}), 14)
CHECK_CASE(staged_little, staged, staged, 1e-8, 2, 8, out(14), in(14, 0.1, 0.9), in(40, 0.1, 1.2), in(14),
           list({0, 3, 3}), 14)
static const std::vector<unsigned> nobody(14, 0u);
CHECK_KERNEL(published, 2, 8, out(28), given(nobody), in(14, 0.1, 0.9), in(40, 0.1, 1.2), in(28),
             list({0, 21, 40}), 14)
CHECK_CASE(published_opaque, published, published, 1e-8, 2, 8, out(28), given(nobody), in(14, 0.4, 0.5),
           in(40, 0.9, 1.6), in(28), list({0, 21, 40}), 14)
CHECK_KERNEL(unstaged, 1, 8, out(6), in(40, 0.1, 0.9), in(40, 0.1, 1.2), list({0, 11, 11, 12, 29, 33, 40}), 6)
CHECK_CASE(unstaged_opaque, unstaged, unstaged, 1e-8, 1, 8, out(6), in(40, 0.4, 0.5), in(40, 0.9, 1.6),
           list({0, 11, 11, 12, 29, 33, 40}), 6)
CHECK_KERNEL(keeping, 2, 8, out(13), fixed(13),
             list({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
             in(32, 0.1, 0.9), in(32, 0.1, 0.7), 13, 4)
CHECK_KERNEL(uncounted, 2, 8, out(14), in(14, 0.1, 0.9), in(40, 0.1, 1.2), in(14), list({0, 21, 40}), 14)
CHECK_CASE(uncounted_opaque, uncounted, uncounted, 1e-8, 2, 8, out(14), in(14, 0.4, 0.5), in(40, 0.9, 1.6),
           in(14), list({0, 21, 40}), 14)
static const std::vector<int> no_ids(13, 0);
CHECK_KERNEL(indexed, 2, 8, out(13), given(no_ids), in(32, 0.1, 0.9), in(32, 0.1, 0.7), 13u, 4u)
CHECK_CASE(indexed_opaque, indexed, indexed, 1e-8, 2, 8, out(13), given(no_ids), in(32, 0.2, 0.4),
           in(32, 0.7, 1.1), 13u, 4u)
CHECK_KERNEL(number_only, 1, 12, out(9), fixed(9), in(9, 0.1, 0.9), in(9, 0.1, 0.8), 9, 5)
CHECK_KERNEL(wide, 1, 8, out(6), in(6, 0.1, 0.9), in(6, 0.1, 0.7), 6, 4ll)
CHECK_KERNEL(squares, 1, 8, out(6), fixed(6), in(6), 6)
CHECK_KERNEL(border, 1, 8, out(8), in(8), list({1, 0, 99, 1, 100, 99, 99, 1}), 8, 3)
#define CHECK_NEST(NAME) CHECK_KERNEL(NAME, 1, 12, out(9), in(9, 0.1, 0.9), in(9, 0.1, 0.8), 9, 5)
CHECK_NEST(kept)
CHECK_NEST(flag_is_reset)
CHECK_NEST(starts_anew)
CHECK_NEST(other_start)
CHECK_NEST(counts_some)
CHECK_NEST(counts_twice)
CHECK_NEST(notes_before)
CHECK_NEST(notes_some)
CHECK_NEST(notes_the_stop)
CHECK_NEST(notes_all)
CHECK_NEST(notes_nothing)
CHECK_NEST(effect_elsewhere)
CHECK_NEST(effect_of_stop)
CHECK_NEST(effect_of_batch)
CHECK_NEST(other_end)
CHECK_NEST(end_moves)
CHECK_NEST(other_break)
CHECK_NEST(left_by_sum)

TEST(what_takes_a_workspace) {
#define TAKES(NAME) (NAME##_workspace_bytes(1, 12, nullptr, nullptr, nullptr, 9, 1000) > 0)
    EXPECT(staged_workspace_bytes(2, 8, nullptr, nullptr, nullptr, nullptr, nullptr, 14) == 0);
    EXPECT(published_workspace_bytes(2, 8, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 14) == 0);
    EXPECT(unstaged_workspace_bytes(1, 8, nullptr, nullptr, nullptr, nullptr, 6) == 0);
    EXPECT(uncounted_workspace_bytes(2, 8, nullptr, nullptr, nullptr, nullptr, nullptr, 14) == 0);
    EXPECT(indexed_workspace_bytes(2, 8, nullptr, nullptr, nullptr, nullptr, 13, 1000) == 0);
    EXPECT(number_only_workspace_bytes(1, 16, nullptr, nullptr, nullptr, nullptr, 9, 1000) == 0);
    EXPECT(wide_workspace_bytes(1, 8, nullptr, nullptr, nullptr, 6, 1000) == 0);
    EXPECT(border_workspace_bytes(1, 8, nullptr, nullptr, nullptr, 8, 1000) == 0);
    EXPECT(keeping_workspace_bytes(1, 8, nullptr, nullptr, nullptr, nullptr, nullptr, 13, 1000) == 0);
#ifdef GW_TEST_SPLIT
    // In front of each tape there are 256 bytes that say whose it is.
    EXPECT(keeping_tape_bytes(1, 8, nullptr, nullptr, nullptr, nullptr, nullptr, 13, 1000) == 256);
    // Each thread stores what T was in the end and the number of the last iteration with an effect, however
    // many batches there are; or that number alone. (And 8 bytes that say how much the thread has stored.)
#define OF_A_THREAD(NAME, ...)                                                                                 \
    ((NAME##_tape_bytes(64, 32, __VA_ARGS__, 1000) - NAME##_tape_bytes(32, 32, __VA_ARGS__, 1000)) / 1024.0)
    EXPECT(OF_A_THREAD(indexed, nullptr, nullptr, nullptr, nullptr, 13) == 8 + 8 + 4);
    EXPECT(OF_A_THREAD(notes_nothing, nullptr, nullptr, nullptr, 9) == 8 + 8 + 4);
    EXPECT(OF_A_THREAD(number_only, nullptr, nullptr, nullptr, nullptr, 9) == 8 + 4);
#endif
    EXPECT(!TAKES(kept));
    EXPECT(TAKES(flag_is_reset));
    EXPECT(TAKES(starts_anew));
    EXPECT(!TAKES(other_start));
    EXPECT(!TAKES(counts_some));
    EXPECT(!TAKES(counts_twice));
    EXPECT(!TAKES(notes_before));
    EXPECT(!TAKES(notes_some));
    EXPECT(!TAKES(notes_the_stop));
    EXPECT(!TAKES(notes_all));
    EXPECT(!TAKES(notes_nothing));
    EXPECT(!TAKES(effect_elsewhere)); // the iteration that stops is the last one with an effect
    EXPECT(TAKES(effect_of_stop));
    EXPECT(TAKES(effect_of_batch));
    EXPECT(TAKES(other_end));
    EXPECT(TAKES(end_moves));
    EXPECT(!TAKES(other_break));
    EXPECT(TAKES(left_by_sum));
}
TEST_MAIN
