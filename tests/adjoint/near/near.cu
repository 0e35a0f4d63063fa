// Loops that nearly go without a tape, one condition of a nest broken in each: what --explain says of the line
// that is marked, by the code of rewriters/adjoint/nest/nests.def (near.py).
#include <gradwright/gradwright.h>

#define KERNEL(NAME)                                                                                         \
    GW_GRADIENT("out wrt x, a")                                                                              \
    __global__ void NAME(float *out, float *other, const float *x, const float *a, const int *from, int n)
#define BEGIN                                                                                                \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                           \
    if (i >= n) return;                                                                                      \
    bool done = false;                                                                                       \
    float T = 1, sum = 0;
#define STEP(k, factor)                                                                                      \
    float next = T * factor;                                                                                 \
    if (next < 1e-4f) {                                                                                      \
        done = true;                                                                                         \
        continue;                                                                                            \
    }                                                                                                        \
    sum += x[k] * a[k] * T;                                                                                  \
    T = next;
#define FACTOR(k) (1 - fminf(0.99f, a[k] * x[i]))

KERNEL(none) {
    BEGIN
    for (int b = 0; b < n; b += 4)
        for (int j = 0; !done && j < 4; j++) {
            STEP(b + j, FACTOR(b + j))
        }
    out[i] = sum * T;
}
KERNEL(outer) {
    BEGIN
    for (int b = 1; b < n; b *= 2) // OUTER
        for (int j = 0; !done && j < 4; j++) {
            STEP(b + j, FACTOR(b + j))
        }
    out[i] = sum * T;
}
KERNEL(between) {
    BEGIN
    for (int b = 0; b < n; b += 8)
        for (int c = 0; c < n; c += 4) // BETWEEN
            for (int j = 0; !done && j < 4; j++) {
                STEP(b + c + j, FACTOR(b + c + j))
            }
    out[i] = sum * T;
}
KERNEL(left_by_a_break) {
    BEGIN
    for (int b = 0; b < n; b += 4)
        for (int j = 0; j < 4; j++) { // BREAK
            float next = T * FACTOR(b + j);
            if (next < 1e-4f) break;
            sum += x[b + j] * a[b + j] * T;
            T = next;
        }
    out[i] = sum * T;
}
KERNEL(factor) {
    BEGIN
    for (int b = 0; b < n; b += 4)
        for (int j = 0; !done && j < 4; j++) {
            float f = 1 - a[b + j] * x[i]; // FACTOR
            STEP(b + j, f)
        }
    out[i] = sum * T;
}
KERNEL(made_of) {
    BEGIN
    for (int b = 0; b < n; b += 4)
        for (int j = 0; !done && j < 4; j++) {
            float f = 1 - fminf(0.5f, a[b + j] * T); // MADE_OF
            STEP(b + j, f)
        }
    out[i] = sum * T;
}
KERNEL(stop) {
    BEGIN
    for (int b = 0; b < n; b += 4)
        for (int j = 0; !done && j < 4; j++) {
            float f = FACTOR(b + j);
            if (a[b + j] > 2) done = true;
            sum += x[b + j] * T;
            T = T * f; // STOP
        }
    out[i] = sum * T;
}
KERNEL(test) {
    BEGIN
    for (int b = 0; b < n; b += 4)
        for (int j = 0; !done && j < 4; j++) {
            if (T < x[b + j]) continue; // TEST
            STEP(b + j, FACTOR(b + j))
        }
    out[i] = sum * T;
}
KERNEL(flag) {
    BEGIN
    for (int b = 0; b < n; b += 4) {
        done = false;
        for (int j = 0; !done && j < 4; j++) { // FLAG
            STEP(b + j, FACTOR(b + j))
        }
    }
    out[i] = sum * T;
}
KERNEL(carried) {
    BEGIN
    for (int b = 0; b < n; b += 4) {
        sum = sum * x[b]; // CARRIED
        for (int j = 0; !done && j < 4; j++) {
            STEP(b + j, FACTOR(b + j))
        }
    }
    out[i] = sum * T;
}
// Never above 1, and stopped at a limit: the factor is no less than that.
KERNEL(bounded_by_stop) {
    BEGIN
    for (int b = 0; b < n; b += 4)
        for (int j = 0; !done && j < 4; j++) {
            float alpha = a[b + j] * x[i];
            if (alpha < 0) continue;
            STEP(b + j, (1 - alpha))
        }
    out[i] = sum * T;
}
// What it multiplies starts above 1.
KERNEL(starts_above) {
    BEGIN
    T = 8;
    for (int b = 0; b < n; b += 4)
        for (int j = 0; !done && j < 4; j++) {
            float alpha = a[b + j] * x[i];
            if (alpha < 0) continue;
            float next = T * (1 - alpha); // FACTOR
            if (next < 1e-4f) {
                done = true;
                continue;
            }
            sum += x[b + j] * a[b + j] * T;
            T = next;
        }
    out[i] = sum * T;
}
// It may grow in another iteration.
KERNEL(may_grow) {
    BEGIN
    for (int b = 0; b < n; b += 4)
        for (int j = 0; !done && j < 4; j++) {
            float alpha = a[b + j] * x[i];
            if (alpha < -1) continue;
            float next = T * (1 - alpha); // FACTOR
            if (next < 1e-4f) {
                done = true;
                continue;
            }
            sum += x[b + j] * a[b + j] * T;
            T = next;
        }
    out[i] = sum * T;
}
// A stop behind the update, which is the only one.
#define BEHIND(NAME, also)                                                                                   \
    KERNEL(NAME) {                                                                                           \
        BEGIN                                                                                                \
        for (int b = 0; b < n; b += 4)                                                                       \
            for (int j = 0; !done && j < 4; j++) {                                                           \
                float alpha = a[b + j] * x[i];                                                               \
                if (alpha < 0) continue;                                                                     \
                also;                                                                                        \
                sum += x[b + j] * alpha * T;                                                                 \
                T *= 1 - alpha;                                                                              \
                if (T < 1e-4f) done = true;                                                                  \
            }                                                                                                \
        out[i] = sum * T;                                                                                    \
    }
BEHIND(stops_behind, )
KERNEL(stops_otherwise) {
    BEGIN
    for (int b = 0; b < n; b += 4)
        for (int j = 0; !done && j < 4; j++) {
            float alpha = a[b + j] * x[i];
            if (alpha < 0) continue;
            if (alpha > 5) {
                done = true;
                continue;
            }
            sum += x[b + j] * alpha * T;
            T *= 1 - alpha;
            if (T < 1e-4f) done = true;
        }
    out[i] = sum * T;
}
KERNEL(writes) {
    BEGIN
    for (int b = 0; b < n; b += 4)
        for (int j = 0; !done && j < 4; j++) {
            out[n * (b + j + 1) + i] = T; // WRITES
            STEP(b + j, FACTOR(b + j))
        }
    out[i] = sum * T;
}
KERNEL(writes_for_others) {
    BEGIN
    for (int b = 0; b < n; b += 4)
        for (int j = 0; !done && j < 4; j++) {
            if (j % 2 == 0) other[b + j] = T;
            if (from) atomicAdd(&other[i], sum);
            STEP(b + j, FACTOR(b + j))
        }
    out[i] = sum * T;
}
KERNEL(bound) {
    BEGIN
    for (int b = 0; b < n; b += 4)
        for (int j = 0; !done && j < 4; j += 2) { // BOUND
            STEP(b + j, FACTOR(b + j))
        }
    out[i] = sum * T;
}
KERNEL(endless) {
    BEGIN
    for (int b = 0; b < n; b += 4) {
        int j = 0;
        while (!done && x[j++] > 0) { // ENDLESS
            STEP(b + j, FACTOR(b + j))
        }
    }
    out[i] = sum * T;
}
KERNEL(counted_and_read) {
    BEGIN
    int read = 0;
    for (int b = 0; b < n; b += 4) {
        int j = -1;
        while (!done && ++j < 4) { // ENDLESS
            STEP(b + j, FACTOR(b + j))
        }
        read += j;
    }
    out[i] = sum * T * read;
}
KERNEL(twice_as_far) {
    BEGIN
    for (int b = 0; b < n; b += 4) {
        int j = 0;
        while (!done && (j = 2 * j + 1) < 8) { // BOUND
            STEP(b + j, FACTOR(b + j))
        }
    }
    out[i] = sum * T;
}
KERNEL(without_stops) {
    BEGIN
    float S = 1;
    for (int b = 0; b < n; b += 4)
        for (int j = 0; j < 4; j++) {
            float f = FACTOR(b + j), g = 1 - fminf(0.9f, a[b + j]);
            if (x[b + j] > 0.5f) {
                T = T * f;
                S = S * g; // STOP
            }
            sum += T * S;
        }
    out[i] = sum * T * S + done;
}
#define PIXELS                                                                                               \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                           \
    if (i >= n) return;                                                                                      \
    bool gone[2] = {false, false};                                                                           \
    float P[2] = {1, 1}, sums[2] = {0, 0};
#define PIXEL(k, factor)                                                                                     \
    float next = P[k] * factor;                                                                              \
    if (next < 1e-4f) {                                                                                      \
        gone[k] = true;                                                                                      \
        continue;                                                                                            \
    }                                                                                                        \
    sums[k] += x[b + j] * P[k];                                                                              \
    P[k] = next;
KERNEL(apart) {
    PIXELS
    for (int b = 0; b < n; b += 4)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 2; k++) {
                if (gone[k]) continue;
                PIXEL(k, FACTOR(b + j + k))
            }
    out[i] = sums[0] * sums[1] * P[0] * P[1];
}
KERNEL(mixed) {
    PIXELS
    float both = 0;
    for (int b = 0; b < n; b += 4)
        for (int j = 0; j < 4; j++) {
            both += P[0] * P[1] * x[b + j]; // SEVERAL
            for (int k = 0; k < 2; k++) {
                if (gone[k]) continue;
                PIXEL(k, FACTOR(b + j + k))
            }
        }
    out[i] = sums[0] * sums[1] * P[0] * P[1] * both;
}
KERNEL(with_one) {
    PIXELS
    for (int b = 0; b < n; b += 4)
        for (int j = 0; j < 4 && !gone[1]; j++) // ENDS
            for (int k = 0; k < 2; k++) {
                if (gone[k]) continue;
                PIXEL(k, FACTOR(b + j + k))
            }
    out[i] = sums[0] * sums[1] * P[0] * P[1];
}
KERNEL(of_two_factors) {
    PIXELS
    for (int b = 0; b < n; b += 4)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 2; k++) {
                if (gone[k]) continue;
                float f = 1 - a[b + j + k] * x[i]; // FACTOR
                PIXEL(k, f)
            }
    out[i] = sums[0] * sums[1] * P[0] * P[1];
}
KERNEL(way) {
    BEGIN
    for (int b = 0; b < n; b += 4)
        if (x[b] * x[i] < 1) // WAY
            for (int j = 0; !done && j < 4; j++) {
                STEP(b + j, FACTOR(b + j))
            }
    out[i] = sum * T;
}

// ---- batches of unsigned ranges, of which nobody promises that none ends before it begins ----
#define BATCHES(progress)                                                                                    \
    const int rounds = (range.y - range.x + 8 - 1) / 8;                                                      \
    int to_do = range.y - range.x;                                                                           \
    for (int r = 0; r < rounds; r++, to_do -= 8) {                                                           \
        if (__syncthreads_count(done) == 8) break;                                                           \
        const int k = progress;                                                                              \
        if (range.x + k < range.y) collected[rank] = a[range.x + k];                                         \
        __syncthreads();                                                                                     \
        for (int j = 0; !done && j < min(8, to_do); j++) {                                                   \
            float next = T * (1 - fminf(0.99f, collected[j] * x[rank]));                                     \
            if (next < 1e-4f) {                                                                              \
                done = true;                                                                                 \
                continue;                                                                                    \
            }                                                                                                \
            sum += x[j] * T;                                                                                 \
            T = next;                                                                                        \
        }                                                                                                    \
    }
GW_GRADIENT("out wrt x, a")
__global__ void forwards(float *out, const float *x, const float *a, const uint2 *ranges) {
    __shared__ float collected[8];
    unsigned rank = threadIdx.x;
    uint2 range = ranges[blockIdx.x];
    bool done = false;
    float T = 1, sum = 0;
    BATCHES(r * 8 + rank)
    out[blockIdx.x * 8 + rank] = sum;
}
// The last batch comes first: what is read may be of an earlier one.
GW_GRADIENT("out wrt x, a")
__global__ void backwards(float *out, const float *x, const float *a, const uint2 *ranges) {
    __shared__ float collected[8];
    unsigned rank = threadIdx.x;
    uint2 range = ranges[blockIdx.x];
    bool done = false;
    float T = 1, sum = 0;
    BATCHES((rounds - 1 - r) * 8 + rank) // STAGED
    out[blockIdx.x * 8 + rank] = sum;
}
// What is read may be of the range before.
GW_GRADIENT("out wrt x, a")
__global__ void of_several(float *out, const float *x, const float *a, const uint2 *ranges, int tiles) {
    __shared__ float collected[8];
    unsigned rank = threadIdx.x;
    for (int tile = 0; tile < tiles; tile++) {
        uint2 range = ranges[tile];
        bool done = false;
        float T = 1, sum = 0;
        BATCHES(r * 8 + rank) // STAGED
        out[tile * 8 + rank] = sum;
    }
}
// Each batch has a range of its own, and one may end before it begins: what is read may be of an earlier one.
GW_GRADIENT("out wrt x, a")
__global__ void of_each(float *out, const float *x, const float *a, const uint2 *ranges, int rounds) {
    __shared__ float collected[8];
    unsigned rank = threadIdx.x;
    bool done = false;
    float T = 1, sum = 0;
    for (int r = 0; r < rounds; r++) {
        const uint2 range = ranges[r];
        const int size = range.y - range.x;
        if (__syncthreads_count(done) == 8) break;
        if (range.x + rank < range.y) collected[rank] = a[range.x + rank];
        __syncthreads();
        for (int j = 0; !done && j < min(8, size); j++) {
            float next = T * (1 - fminf(0.99f, collected[j] * x[rank])); // STAGED
            if (next < 1e-4f) {
                done = true;
                continue;
            }
            sum += x[j] * T;
            T = next;
        }
    }
    out[blockIdx.x * 8 + rank] = sum;
}

// Batches of offsets, counted: none is behind the range, so what is read is of its own batch.
#define OF_OFFSETS(NAME, batches, begins)                                                                    \
    GW_GRADIENT("out wrt x, a")                                                                              \
    __global__ void NAME(float *out, const float *x, const float *a, const int *offsets, int most) {         \
        __shared__ float collected[8];                                                                       \
        const unsigned rank = threadIdx.x, size = 8;                                                         \
        const int begin = offsets[blockIdx.x], end = offsets[blockIdx.x + 1];                                \
        bool done = false;                                                                                   \
        float T = 1, sum = 0;                                                                                \
        for (unsigned b = 0, count = batches; b < count; b++) {                                              \
            const unsigned start = begins, at = start + rank;                                                \
            if (at < end) collected[rank] = a[at];                                                           \
            __syncthreads();                                                                                 \
            for (unsigned j = 0; !done && j < min(size, (unsigned)end - start); j++) {                       \
                float next = T * (1 - fminf(0.99f, collected[j] * x[rank]));                                 \
                if (next < 1e-4f) {                                                                          \
                    done = true;                                                                             \
                    continue;                                                                                \
                }                                                                                            \
                sum += x[j] * T;                                                                             \
                T = next;                                                                                    \
            }                                                                                                \
            if (__syncthreads_and(done)) break;                                                              \
        }                                                                                                    \
        out[blockIdx.x * 8 + rank] = sum;                                                                    \
    }
OF_OFFSETS(counted, (end - begin + size - 1) / size, begin + size * b)
OF_OFFSETS(counted_less, (end - begin) / size, begin + size * b)
OF_OFFSETS(with_an_empty_one, (end - begin + size) / size, begin + size * b)
OF_OFFSETS(too_far, (end - begin + 2 * size - 1) / size, begin + size * b)              // STAGED
OF_OFFSETS(not_bounded, most, begin + size * b)                                              // STAGED
OF_OFFSETS(downwards, (end - begin + size - 1) / size, begin + size * (count - 1 - b))       // STAGED
OF_OFFSETS(of_wider_steps, (end - begin + size - 1) / size, begin + (size + 1) * b)          // STAGED
OF_OFFSETS(from_elsewhere, (end - begin + size - 1) / size, offsets[most] + size * b)        // STAGED

// ---- parts of one array ----
#define OF_PARTS(NAME, to, other, from_j)                                                                    \
    GW_GRADIENT("out wrt x, a")                                                                              \
    __global__ void __launch_bounds__(8)                                                                     \
        NAME(float *out, const float *x, const float *a, const int2 *ranges, const int *marks) {             \
        __shared__ float collected[32];                                                                      \
        const int rank = threadIdx.x;                                                                        \
        int2 range = ranges[blockIdx.x];                                                                     \
        bool done = false;                                                                                   \
        float T = 1, sum = 0;                                                                                \
        for (int base = range.x; base < range.y; base += 8) {                                                \
            if (__syncthreads_count(done) == 8) break;                                                       \
            if (base + rank < range.y) collected[to] = a[base + rank];                                       \
            if (marks[base]) collected[other] = 1;                                                           \
            __syncthreads();                                                                                 \
            for (int j = 0; !done && j < min(8, range.y - base); j++) {                                      \
                float next = T * (1 - fminf(0.99f, collected[from_j] * x[rank]));                            \
                if (next < 1e-4f) {                                                                          \
                    done = true;                                                                             \
                    continue;                                                                                \
                }                                                                                            \
                sum += x[j] * T;                                                                             \
                T = next;                                                                                    \
            }                                                                                                \
        }                                                                                                    \
        out[blockIdx.x * 8 + rank] = sum;                                                                    \
    }
OF_PARTS(behind, rank, 8 + rank, j)
OF_PARTS(overlapping, rank, 6 + rank, j) // STAGED
OF_PARTS(interleaved, 2 * rank, 2 * rank + 1, 2 * j)
OF_PARTS(not_interleaved, 2 * rank, 3 * rank + 1, 2 * j) // STAGED
