// Loops over batches (nests.cu) that go through the bits of a word, and such with a loop more between: batches
// in chunks, of which each warp looks at what it may need, by a vote.
#include "../support/check.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define ALPHA(j)                                                                                             \
    const real alpha = s_opacity[j] * exp(-2 * (s_x[j] - p) * (s_x[j] - p));                                 \
    if (alpha < 1 / 255.0) continue;
// Faster-GS': what is below the limit is blended with.
#define BLEND(j) ALPHA(j) MIX(j)
#define MIX(j)                                                                                               \
    sum += colour[s_id[j]] * alpha * T;                                                                      \
    T *= 1 - alpha;                                                                                          \
    if (T < 1e-4) done = true;
#define KERNEL(NAME)                                                                                         \
    BOTH("out wrt x, opacity, colour")                                                                       \
    __global__ void NAME(real *out, real *marks, const real *x, const real *opacity, const real *colour,     \
                         int n, int total)
#define SETUP                                                                                                \
    __shared__ real s_x[64], s_opacity[64];                                                                  \
    __shared__ int s_id[64];                                                                                 \
    const int i = HERE, rank = threadIdx.x;                                                                  \
    const int lane = cg::tiled_partition<32>(cg::this_thread_block()).thread_rank();                         \
    bool done = i >= n;                                                                                      \
    real p = i < n ? x[i] : 0, T = 1, sum = 0;                                                               \
    (void)marks, (void)lane;
#define OUTER                                                                                                \
    for (int base = 0; base < total; base += 64) {                                                           \
        if (__syncthreads_and(done)) break;                                                                  \
        if (base + rank < total) {                                                                           \
            s_id[rank] = (base + rank) % n;                                                                  \
            s_x[rank] = x[(base + rank) % n];                                                                \
            s_opacity[rank] = opacity[base + rank];                                                          \
        }                                                                                                    \
        __syncthreads();                                                                                     \
        const int size = min(64, total - base);
#define NEAR(j) (fabs(s_x[j] - 0.1 * (rank / 32) - 0.4) < 0.3)
#define WRITE                                                                                                \
    if (i < n) out[i] = sum + T * (0.25 + sum);

KERNEL(by_ballot) {
    SETUP OUTER
        for (int chunk = 0; chunk < size; chunk += 32) {
            const unsigned near = __ballot_sync(0xffffffff, chunk + lane < size && NEAR(chunk + lane));
            unsigned left = near;
            while (!done && left != 0u) {
                const int j = chunk + __ffs((int)left) - 1;
                left &= left - 1;
                BLEND(j)
            }
        }
    }
    WRITE
}
// What a warp passes over by bounds, too: of the splats near it, those that are above the limit in some lane.
BOTH("out wrt opacity, colour")
__global__ void by_bounds(real *out, real *marks, const real *x, const real *opacity, const real *colour, int n,
                          int total) {
    SETUP OUTER
        for (int chunk = 0; chunk < size; chunk += 32) {
            unsigned left = __ballot_sync(0xffffffff, chunk + lane < size && NEAR(chunk + lane));
            while (!done && left != 0u) {
                const int j = chunk + __ffs((int)left) - 1;
                left &= left - 1;
                const real alpha = s_opacity[j] * exp(-600 * (s_x[j] - p) * (s_x[j] - p));
                if (alpha < 1 / 255.0) continue;
                MIX(j)
            }
        }
    }
    WRITE
}
// What is written for others is what there is at the start of each chunk.
KERNEL(with_marks) {
    SETUP
    int mark = 0;
    OUTER
        for (int chunk = 0; chunk < size; chunk += 32) {
            if (!done) {
                marks[2 * (mark * n + i)] = sum;
                marks[2 * (mark * n + i) + 1] = T;
                mark++;
            }
            unsigned left = __ballot_sync(0xffffffff, chunk + lane < size && NEAR(chunk + lane));
            while (left && !done) {
                const int j = chunk + __ffs(left) - 1;
                left = (left - 1) & left;
                BLEND(j)
            }
        }
    }
    WRITE
}
KERNEL(in_chunks) {
    SETUP OUTER
        for (int chunk = 0; chunk < size; chunk += 16)
            for (int j = 0; !done && j < 16; j++) {
                if (chunk + j >= size) continue;
                BLEND(chunk + j)
            }
    }
    WRITE
}
// Two loops, bits of memory.
#define LISTED(NAME)                                                                                         \
    BOTH("out wrt x, opacity")                                                                               \
    __global__ void NAME(real *out, const real *x, const real *opacity, const long long *words, int n,       \
                         int batches)
#define BEGIN                                                                                                \
    const int i = HERE;                                                                                      \
    if (i >= n) return;                                                                                      \
    bool done = false;                                                                                       \
    real T = 1, sum = 0;                                                                                     \
    int asked = 0;                                                                                           \
    for (int b = 0; b < batches; b++) {                                                                      \
        if (done) break;
#define STEP(j)                                                                                              \
    const real alpha = fmin(0.99, opacity[(b * 4 + (j) + i) % n] * x[i]), next = T * (1 - alpha);            \
    if (next < 1e-4) {                                                                                       \
        done = true;                                                                                         \
        continue;                                                                                            \
    }                                                                                                        \
    sum += alpha * T * x[(b + (j)) % n];                                                                     \
    T = next;
#define END                                                                                                  \
    }                                                                                                        \
    out[i] = sum + T + 0.001 * asked;
LISTED(listed) {
    BEGIN
        unsigned long long left = words[b];
        while (!done && left != 0) {
            const int j = __ffsll(left) - 1;
            left &= left - 1;
            STEP(j)
        }
    END
}
LISTED(broken_off) {
    BEGIN
        long long left = words[b];
        while (left) {
            if (done) break;
            const int j = __ffsll(left) - 1;
            left &= left - 1;
            STEP(j)
        }
    END
}

// ---- one thing is different in each: they take a tape, and are right ----
// How many bits are left is asked for.
LISTED(counts_left) {
    BEGIN
        long long left = words[b];
        while (!done && left != 0) {
            const int j = __ffsll(left) - 1;
            asked += __popcll(left);
            left &= left - 1;
            STEP(j)
        }
    END
}
// So it is behind the loop.
LISTED(left_over) {
    BEGIN
        long long left = words[b];
        while (!done && left != 0) {
            const int j = __ffsll(left) - 1;
            left &= left - 1;
            STEP(j)
        }
        asked += __popcll(left);
    END
}
// The place of the next bit is asked for.
LISTED(looks_ahead) {
    BEGIN
        long long left = words[b];
        while (!done && left != 0) {
            left &= left - 1;
            const int j = __ffsll(left);
            STEP(j)
        }
    END
}
// One bit is passed over.
LISTED(by_two) {
    BEGIN
        long long left = words[b];
        while (!done && left != 0) {
            const int j = __ffsll(left) - 1;
            left &= left - 1;
            left &= left - 1;
            STEP(j)
        }
    END
}
// It goes on without a bit.
LISTED(or_more) {
    BEGIN
        long long left = words[b];
        int more = 2;
        while (!done && (left != 0 || more > 0)) {
            const int j = __ffsll(left) + 1;
            left &= left - 1;
            if (left == 0) more--;
            STEP(j)
        }
    END
}
// Chunks end by what is staged, begin anew, or are asked for what is blended.
KERNEL(ends_by_data) {
    SETUP OUTER
        for (int chunk = 0; chunk < size; chunk += 16) {
            if (s_x[chunk] > 0.8) break;
            for (int j = 0; !done && j < 16; j++) {
                if (chunk + j >= size) continue;
                BLEND(chunk + j)
            }
        }
    }
    WRITE
}
KERNEL(grows) {
    SETUP OUTER
        for (int chunk = 0; chunk < size; chunk += 16)
            for (int j = 0; !done && j < chunk; j++) {
                BLEND(j)
            }
    }
    WRITE
}
KERNEL(flag_anew) {
    SETUP
    OUTER
        for (int chunk = 0; chunk < size; chunk += 16) {
            done = i >= n || T < 1e-3;
            for (int j = 0; !done && j < 16; j++) {
                if (chunk + j >= size) continue;
                BLEND(chunk + j)
            }
        }
    }
    WRITE
}
KERNEL(fades) {
    SETUP OUTER
        for (int chunk = 0; chunk < size; chunk += 16) {
            sum *= 0.9;
            for (int j = 0; !done && j < 16; j++) {
                if (chunk + j >= size) continue;
                BLEND(chunk + j)
            }
        }
    }
    WRITE
}
// Lanes leave the batches one by one, so that they cannot be asked together again.
BOTH("out wrt x, opacity")
__global__ void apart(real *out, const real *x, const real *opacity, int n, int total) {
    const int i = HERE, lane = threadIdx.x % 32;
    bool done = i >= n;
    real p = i < n ? x[i] : 0, T = 1, sum = 0;
    for (int base = 0; base < total; base += 64)
        for (int chunk = 0; chunk < 64; chunk += 32) {
            const int at = base + chunk + lane;
            unsigned left = __ballot_sync(0xffffffff, at < total && opacity[at] > 0.3);
            while (!done && left != 0u) {
                const int j = base + chunk + __ffs((int)left) - 1;
                left &= left - 1;
                const real alpha = opacity[j] * exp(-2 * (x[j % n] - p) * (x[j % n] - p));
                if (alpha < 1 / 255.0) continue;
                sum += alpha * T;
                T *= 1 - alpha;
                if (T < 1e-4) done = true;
            }
        }
    WRITE
}

#include "nests_bits.grad.cuh"

static const std::vector<long long> words = {0x5, (long long)0x8000000000000001ull, 0, -1ll, 0x70f0};
static const std::vector<real> places = [] {
    std::vector<real> all(50);
    for (int i = 0; i < 50; i++) all[i] = 0.1 + 0.8 * (i * 37 % 50) / 50;
    return all;
}();
#define CHECK_CHUNKS(NAME)                                                                                   \
    CHECK_CASE(NAME, NAME, NAME, 1e-6, 1, 64, out(50), given(std::vector<real>(1200)), in(50, 0.1, 0.9),     \
               in(150, 0.01, 0.1), in(50), 50, 150)                                                          \
    CHECK_CASE(NAME##_opaque, NAME, NAME, 1e-6, 1, 64, out(50), given(std::vector<real>(1200)),              \
               in(50, 0.4, 0.5), in(150, 0.6, 0.98), in(50), 50, 150)
CHECK_CHUNKS(by_ballot)
CHECK_CASE(by_bounds, by_bounds, by_bounds, 1e-6, 1, 64, out(50), given(std::vector<real>(1200)), given(places),
           in(150, 0.01, 0.9), in(50), 50, 150)
CHECK_CHUNKS(with_marks)
CHECK_CHUNKS(in_chunks)
CHECK_CHUNKS(ends_by_data)
CHECK_CHUNKS(flag_anew)
CHECK_CHUNKS(fades)
CHECK_CASE(grows, grows, grows, 1e-6, 1, 64, out(50), given(std::vector<real>(1200)), in(50, 0.1, 0.9),
           in(150, 0.02, 0.03), in(50), 50, 150)
#define CHECK_LISTED(NAME)                                                                                   \
    CHECK_KERNEL(NAME, 1, 12, out(9), in(9, 0.3, 0.9), in(9, 0.3, 1.2), given(words), 9, 5)
CHECK_LISTED(listed)
CHECK_LISTED(broken_off)
// Nobody but the device knows how many bits there are.
#define CHECK_LISTED_MEASURED(NAME)                                                                          \
    CHECK_MEASURED(NAME, NAME, 1, 12, 0, out(9), in(9, 0.3, 0.9), in(9, 0.3, 1.2), given(words), 9, 5)
CHECK_LISTED_MEASURED(counts_left)
CHECK_LISTED_MEASURED(left_over)
CHECK_LISTED_MEASURED(looks_ahead)
CHECK_LISTED_MEASURED(by_two)
CHECK_LISTED_MEASURED(or_more)
CHECK_MEASURED(apart, apart, 1, 64, 0, out(50), in(50, 0.4, 0.5), in(150, 0.1, 0.9), 50, 150)

TEST(what_takes_a_workspace) {
#define TAKES(NAME) (NAME##_workspace_bytes(1, 64, nullptr, nullptr, nullptr, nullptr, nullptr, 50, 150) > 0)
    EXPECT(!TAKES(by_ballot));
    EXPECT(!TAKES(with_marks));
    EXPECT(!TAKES(in_chunks));
    EXPECT(TAKES(grows));
    EXPECT(TAKES(flag_anew));
    EXPECT(TAKES(fades));
    check::array<long long> bits(words);
#define TAKES_SOME(NAME) (NAME##_workspace_bytes(1, 12, nullptr, nullptr, nullptr, bits, 9, 5) > 0)
    EXPECT(!TAKES_SOME(listed));
    EXPECT(!TAKES_SOME(broken_off));
}
TEST_MAIN
