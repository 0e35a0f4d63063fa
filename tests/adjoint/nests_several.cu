// Loops over batches (nests.cu) in which a thread has several pixels, each with a product and a stop of its
// own.
#include "../support/check.cuh"

typedef double real;
#define PIXELS 3
struct span {
    int x, y;
};
__device__ real opacity_of(real opacity, real x, real y) {
    return fmin(0.99, opacity * exp(-2 * (x - y) * (x - y)));
}

#define KERNEL(NAME)                                                                                         \
    BOTH("out wrt x, opacity, colour")                                                                       \
    __global__ void NAME(real *out, const real *x, const real *opacity, const real *colour,                  \
                         const span *ranges, int n)
#define SETUP                                                                                                \
    __shared__ real s_x[8], s_opacity[8];                                                                    \
    __shared__ int s_id[8];                                                                                  \
    const int rank = threadIdx.x, first = (blockIdx.x * blockDim.x + rank) * PIXELS;                         \
    const span range = ranges[blockIdx.x];                                                                   \
    real T[PIXELS], sum[PIXELS];                                                                             \
    bool done[PIXELS];                                                                                       \
    for (int k = 0; k < PIXELS; k++) {                                                                       \
        T[k] = 1;                                                                                            \
        sum[k] = 0;                                                                                          \
        done[k] = first + k >= n;                                                                            \
    }
#define STAGE                                                                                                \
    if (base + rank < range.y) {                                                                             \
        s_id[rank] = (base + rank) % n;                                                                      \
        s_x[rank] = x[(base + rank) % n];                                                                    \
        s_opacity[rank] = opacity[base + rank];                                                              \
    }                                                                                                        \
    __syncthreads();
#define ALL (done[0] && done[1] && done[2])
#define OUTER                                                                                                \
    for (int base = range.x; base < range.y; base += 8) {                                                    \
        if (__syncthreads_count(ALL) == 8) break;                                                            \
        STAGE
#define OF(k) (0.5 + 0.13 * ((first + (k)) % 7))
#define BLEND                                                                                                \
    const real alpha = opacity_of(s_opacity[j], s_x[j], OF(k));                                              \
    if (alpha < 1 / 255.0) continue;                                                                         \
    const real next = T[k] * (1 - alpha);                                                                    \
    if (next < 1e-4) {                                                                                       \
        done[k] = true;                                                                                      \
        continue;                                                                                            \
    }                                                                                                        \
    sum[k] += colour[s_id[j]] * alpha * T[k];                                                                \
    T[k] = next;
#define PIXELS_OF_J                                                                                          \
    for (int k = 0; k < PIXELS; k++) {                                                                       \
        if (done[k]) continue;                                                                               \
        BLEND                                                                                                \
    }
#define WRITE                                                                                                \
    for (int k = 0; k < PIXELS; k++)                                                                         \
        if (first + k < n) out[first + k] = sum[k] + T[k] * 0.25;

// The loop goes through its batches to their ends.
KERNEL(to_the_end) {
    SETUP OUTER
        for (int j = 0; j < min(8, range.y - base); j++) {
            PIXELS_OF_J
        }
    }
    WRITE
}
KERNEL(all_asked) {
    SETUP OUTER
        for (int j = 0; !ALL && j < min(8, range.y - base); j++) {
            PIXELS_OF_J
        }
    }
    WRITE
}
KERNEL(any_asked) {
    SETUP OUTER
        for (unsigned j = 0; j < (unsigned)min(8, range.y - base) && (!done[0] || !done[1] || !done[2]); ++j) {
            PIXELS_OF_J
        }
    }
    WRITE
}
KERNEL(left_by_a_break) {
    SETUP OUTER
        for (int j = 0; j < min(8, range.y - base); j++) {
            PIXELS_OF_J
            if (ALL) break;
        }
    }
    WRITE
}
KERNEL(asked_first) {
    SETUP OUTER
        for (int j = 0; j < min(8, range.y - base); j++) {
            if (ALL) break;
            PIXELS_OF_J
        }
    }
    WRITE
}
KERNEL(in_branches) {
    SETUP OUTER
        const int size = min(8, range.y - base);
        for (int j = 0; j < size; j++) {
#pragma unroll
            for (int k = 0; k < PIXELS; k++) {
                if (!done[k] && s_opacity[j] > 0.12) {
                    const real alpha = opacity_of(s_opacity[j], s_x[j], OF(k));
                    if (alpha >= 1 / 255.0) {
                        const real next = T[k] * (1 - alpha);
                        if (next < 1e-4) {
                            done[k] = true;
                        } else {
                            sum[k] += colour[s_id[j]] * alpha * T[k];
                            T[k] = next;
                        }
                    }
                }
            }
        }
    }
    WRITE
}
// Each pixel stores the last entry of the list that counted, and what all have in common is loaded once.
BOTH("out wrt x, opacity, colour")
__global__ void with_ids(real *out, int *ids, const real *x, const real *opacity, const real *colour,
                         const span *ranges, int n) {
    SETUP
    int id[PIXELS] = {0, 0, 0};
    int base = range.x;
    while (base < range.y) {
        if (__syncthreads_and(ALL)) break;
        STAGE
        for (int j = 0; j < min(8, range.y - base) && !ALL; ++j) {
            const real at = s_x[j], o = s_opacity[j], c = colour[s_id[j]];
            for (int k = 0; k < PIXELS; k++) {
                if (done[k]) continue;
                const real alpha = opacity_of(o, at, OF(k)), next = T[k] * (1 - alpha);
                if (next <= 1e-4) {
                    done[k] = true;
                    continue;
                }
                sum[k] += c * alpha * T[k];
                id[k] = base + j;
                T[k] = next;
            }
        }
        base += 8;
    }
    for (int k = 0; k < PIXELS; k++)
        if (first + k < n) {
            ids[first + k] = id[k];
            out[first + k] = sum[k] + T[k] * T[k];
        }
}
// One pixel, of whose flag the loop does not ask; the other is two numbers of one pixel that stop together.
KERNEL(two_alike) {
    SETUP OUTER
        for (int j = 0; j < min(8, range.y - base); j++)
            for (int k = 0; k < 2; k++) {
                if (done[k]) continue;
                const real alpha = opacity_of(s_opacity[j], s_x[j], OF(k)), next = T[k] * (1 - alpha);
                if (next < 1e-4) {
                    done[k] = true;
                    continue;
                }
                sum[k] += colour[s_id[j]] * alpha * T[k];
                sum[2] += k == 1 ? colour[s_id[j]] * T[k] : 0;
                T[k] = next;
            }
    }
    WRITE
}

// As gsplat has it: the flags are bits of a number, and the batch ends with the vote. Ranges between offsets.
#define MASK 7u
#define IN_BITS(other)                                                                                       \
    __shared__ real s_x[8], s_opacity[8];                                                                    \
    __shared__ int s_id[8];                                                                                  \
    const unsigned rank = threadIdx.x, first = (blockIdx.x * blockDim.x + rank) * PIXELS;                    \
    const int start = max(from[blockIdx.x], 0), end = max(from[blockIdx.x + 1], start);                      \
    const unsigned batches = (end - start + 8 - 1) / 8;                                                      \
    real T[PIXELS], sum[PIXELS];                                                                             \
    unsigned done = other | (first >= n ? MASK : 0);                                                         \
    for (unsigned k = 0; k < PIXELS; k++) {                                                                  \
        T[k] = 1;                                                                                            \
        sum[k] = 0;                                                                                          \
        if (first + k >= n) done |= 1u << k;                                                                 \
    }                                                                                                        \
    for (unsigned b = 0; b < batches; ++b) {                                                                 \
        const unsigned batch = start + 8 * b, at = batch + rank;                                             \
        if (at < (unsigned)end) {                                                                            \
            s_id[rank] = at % n;                                                                             \
            s_x[rank] = x[at % n];                                                                           \
            s_opacity[rank] = opacity[at];                                                                   \
        }                                                                                                    \
        __syncthreads();                                                                                     \
        const unsigned size = min(8u, (unsigned)end - batch);
#define BLEND_BITS(sets)                                                                                     \
    const real alpha = opacity_of(s_opacity[j], s_x[j], OF(k));                                              \
    if (alpha < 1 / 255.0) continue;                                                                         \
    const real next = T[k] * (1 - alpha);                                                                    \
    if (next < 1e-4) {                                                                                       \
        sets;                                                                                                \
        continue;                                                                                            \
    }                                                                                                        \
    sum[k] += colour[s_id[j]] * alpha * T[k];                                                                \
    T[k] = next;
#define VOTE(all)                                                                                            \
    if (__syncthreads_count(all) >= 8) break;                                                                \
    }                                                                                                        \
    for (unsigned k = 0; k < PIXELS; k++)                                                                    \
        if (first + k < n) out[first + k] = sum[k] + T[k] * 0.25;
#define OFFSETS(NAME)                                                                                        \
    BOTH("out wrt x, opacity, colour")                                                                       \
    __global__ void NAME(real *out, const real *x, const real *opacity, const real *colour, const int *from, \
                         unsigned n)
OFFSETS(in_bits) {
    IN_BITS(0)
        for (unsigned j = 0; j < size && done != MASK; ++j)
            for (unsigned k = 0; k < PIXELS; ++k) {
                if (done & 1u << k) continue;
                BLEND_BITS(done |= 1u << k)
            }
        VOTE(done == MASK)
}
OFFSETS(in_bits_asked_singly) {
    IN_BITS(0)
        for (unsigned j = 0; j < size; ++j) {
            if ((done & MASK) == MASK) break;
            for (unsigned k = 0; k < PIXELS; ++k) {
                if ((done & 1u << k) != 0) continue;
                BLEND_BITS(done = done | 1u << k)
            }
        }
        VOTE(!(~done & MASK))
}
// A number that is a flag.
KERNEL(in_numbers) {
    SETUP
    int gone[PIXELS];
    for (int k = 0; k < PIXELS; k++) gone[k] = done[k];
    for (int base = range.x; base < range.y; base += 8) {
        STAGE
        for (int j = 0; j < min(8, range.y - base); j++)
            for (int k = 0; k < PIXELS; k++) {
                if (gone[k] == 1) continue;
                BLEND_BITS(gone[k] = 1)
            }
        if (__syncthreads_and(gone[0] && gone[1] && gone[2])) break;
    }
    WRITE
}
// The kernel asks for bits, too, that nobody sets: they are as they were given.
BOTH("out wrt x, opacity, colour")
__global__ void with_other_bits(real *out, const real *x, const real *opacity, const real *colour,
                                const int *from, unsigned n, unsigned given) {
    IN_BITS(given << 3)
        for (unsigned j = 0; j < size && done != (MASK | 8); ++j)
            for (unsigned k = 0; k < PIXELS; ++k) {
                if (done & 1u << k) continue;
                BLEND_BITS(done |= 1u << k)
            }
        VOTE(done == (MASK | 8))
}

// ---- one thing is different in each: as these loops have a bound, they take a tape ----
#define BOUNDED(NAME)                                                                                        \
    BOTH("out wrt x, opacity")                                                                               \
    __global__ void NAME(real *out, const real *x, const real *opacity, int n, int batches)
#define BEGIN                                                                                                \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                     \
    if (i >= n) return;                                                                                      \
    bool done[2] = {false, false};                                                                           \
    real T[2] = {1, 1}, sum[2] = {0, 0};                                                                     \
    real both = 0;                                                                                           \
    for (int b = 0; b < batches; b++) {
#define EACH                                                                                                 \
    for (int j = 0; j < 4; j++)                                                                              \
        for (int k = 0; k < 2; k++) {                                                                        \
            if (done[k]) continue;
#define STEP                                                                                                 \
    const real alpha = fmin(0.99, opacity[(b * 4 + j + i + k) % n] * x[i]), next = T[k] * (1 - alpha);       \
    if (next < 1e-4) {                                                                                       \
        done[k] = true;                                                                                      \
        continue;                                                                                            \
    }                                                                                                        \
    sum[k] += alpha * T[k] * x[(b + j) % n];                                                                 \
    T[k] = next;
#define END                                                                                                  \
    }                                                                                                        \
    out[i] = sum[0] + sum[1] * 0.5 + T[0] + T[1] * 0.3 + both;
BOUNDED(alike) {
    BEGIN EACH STEP }
    END
}
// What one pixel does depends on whether the other has stopped.
BOUNDED(after_the_other) {
    BEGIN EACH
            const real f = done[1 - k] ? 0.5 : 1;
            const real alpha = fmin(0.99, opacity[(b * 4 + j + i + k) % n] * x[i]) * f;
            const real next = T[k] * (1 - alpha);
            if (next < 1e-4) {
                done[k] = true;
                continue;
            }
            sum[k] += alpha * T[k] * x[(b + j) % n];
            T[k] = next;
        }
    END
}
// One sum for both.
BOUNDED(in_one_sum) {
    BEGIN EACH
            both += T[0] * T[1] * x[(b + j) % n];
            STEP }
    END
}
// A flag may be false again.
BOUNDED(begins_again) {
    BEGIN
        for (int j = 0; j < 4; j++) {
            if (j == 3) done[0] = false;
            for (int k = 0; k < 2; k++) {
                if (done[k]) continue;
                STEP
            }
        }
    END
}
// What belongs to a pixel changes after its stop.
BOUNDED(goes_on) {
    BEGIN
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 2; k++) {
                sum[k] *= 1.01;
                if (done[k]) continue;
                STEP
            }
    END
}
// The loop ends as soon as one has stopped, in that batch.
BOUNDED(ends_with_one) {
    BEGIN
        for (int j = 0; j < 4 && !done[1]; j++)
            for (int k = 0; k < 2; k++) {
                if (done[k]) continue;
                STEP
            }
    END
}
BOUNDED(left_by_one) {
    BEGIN
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 2; k++) {
                if (done[k]) continue;
                STEP
            }
            if (done[0] || done[1]) break;
        }
    END
}
// Both have stopped, or an entry says so.
BOUNDED(left_by_an_entry) {
    BEGIN
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 2; k++) {
                if (done[k]) continue;
                STEP
            }
            if ((done[0] && done[1]) || opacity[(b + j) % n] > 0.9) break;
        }
    END
}
// The flags are as they were at the start of each batch.
BOUNDED(flags_anew) {
    BEGIN
        done[0] = done[1] = false;
        EACH STEP }
    END
}
// A factor of the other's product.
BOUNDED(of_the_other) {
    BEGIN EACH
            const real alpha = fmin(0.9, opacity[(b * 4 + j + i + k) % n] * T[1 - k]);
            const real next = T[k] * (1 - alpha);
            if (next < 1e-4) {
                done[k] = true;
                continue;
            }
            sum[k] += alpha * x[(b + j) % n];
            T[k] = next;
        }
    END
}

#define BITS                                                                                                 \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                     \
    if (i >= n) return;                                                                                      \
    unsigned done = 0;                                                                                       \
    real T[2] = {1, 1}, sum[2] = {0, 0}, both = 0;                                                           \
    for (int b = 0; b < batches; b++) {
#define BIT_STEP(factor)                                                                                     \
    const real alpha = fmin(0.99, opacity[(b * 4 + j + i + k) % n] * x[i] * factor);                         \
    const real next = T[k] * (1 - alpha);                                                                    \
    if (next < 1e-4) {                                                                                       \
        done |= 1u << k;                                                                                     \
        continue;                                                                                            \
    }                                                                                                        \
    sum[k] += alpha * T[k] * x[(b + j) % n];                                                                 \
    T[k] = next;
#define EACH_BIT                                                                                             \
    for (int k = 0; k < 2; k++) {                                                                            \
        if (done & 1u << k) continue;
BOUNDED(bits_alike) {
    BITS
        for (int j = 0; j < 4; j++)
            EACH_BIT BIT_STEP(1) }
    END
}
// A bit may be cleared again.
BOUNDED(cleared) {
    BITS
        for (int j = 0; j < 4; j++) {
            if (j == 3) done &= ~1u;
            EACH_BIT BIT_STEP(1) }
        }
    END
}
// All bits are cleared at once.
BOUNDED(put_back) {
    BITS
        for (int j = 0; j < 4; j++) {
            if (j == 3) done = 0;
            EACH_BIT BIT_STEP(1) }
        }
    END
}
// A bit is set by what is loaded.
BOUNDED(set_by_data) {
    BITS
        for (int j = 0; j < 4; j++) {
            done |= (unsigned)(opacity[(b + j) % n] * 2) & 1;
            EACH_BIT BIT_STEP(1) }
        }
    END
}
// The number of bits is a factor.
BOUNDED(counted) {
    BITS
        for (int j = 0; j < 4; j++)
            EACH_BIT BIT_STEP((1 - 0.1 * done)) }
    END
}
// The loop ends with one of the bits.
BOUNDED(ends_with_a_bit) {
    BITS
        for (int j = 0; j < 4 && done < 2; j++)
            EACH_BIT BIT_STEP(1) }
    END
}

#include "nests_several.grad.cuh"

static const std::vector<span> spans = {{0, 21}, {21, 40}, {30, 12}};
#define CHECK_FORM(NAME)                                                                                     \
    CHECK_KERNEL(NAME, 3, 8, out(72), in(72, 0.1, 1.9), in(40, 0.1, 1.2), in(72), given(spans), 70)          \
    CHECK_CASE(NAME##_opaque, NAME, NAME, 1e-8, 3, 8, out(72), in(72, 0.6, 0.9), in(40, 0.9, 1.6), in(72),   \
               given(spans), 70)
CHECK_FORM(to_the_end)
CHECK_FORM(all_asked)
CHECK_FORM(any_asked)
CHECK_FORM(left_by_a_break)
CHECK_FORM(asked_first)
CHECK_FORM(in_branches)
CHECK_FORM(two_alike)
CHECK_KERNEL(with_ids, 3, 8, out(72), given(std::vector<int>(72)), in(72, 0.1, 1.9), in(40, 0.1, 1.2), in(72),
             given(spans), 70)
CHECK_CASE(with_ids_opaque, with_ids, with_ids, 1e-8, 3, 8, out(72), given(std::vector<int>(72)),
           in(72, 0.6, 0.9), in(40, 0.9, 1.6), in(72), given(spans), 70)
static const std::vector<int> offsets = {0, 21, 40, 40};
#define CHECK_OFFSETS(NAME, ...)                                                                             \
    CHECK_KERNEL(NAME, 3, 8, out(72), in(72, 0.1, 1.9), in(40, 0.1, 1.2), in(72), given(offsets), __VA_ARGS__) \
    CHECK_CASE(NAME##_opaque, NAME, NAME, 1e-8, 3, 8, out(72), in(72, 0.6, 0.9), in(40, 0.9, 1.6), in(72),   \
               given(offsets), __VA_ARGS__)
CHECK_OFFSETS(in_bits, 70u)
CHECK_OFFSETS(in_bits_asked_singly, 70u)
CHECK_OFFSETS(with_other_bits, 70u, 1u)
CHECK_CASE(with_other_bits_off, with_other_bits, with_other_bits, 1e-8, 3, 8, out(72), in(72, 0.6, 0.9),
           in(40, 0.9, 1.6), in(72), given(offsets), 70u, 0u)
CHECK_FORM(in_numbers)
#define CHECK_BOUNDED(NAME)                                                                                  \
    CHECK_KERNEL(NAME, 1, 12, out(9), in(9, 0.3, 0.9), in(9, 0.3, 1.2), 9, 5)                                \
    CHECK_CASE(NAME##_opaque, NAME, NAME, 1e-8, 1, 12, out(9), in(9, 0.8, 1.1), in(9, 0.7, 1.2), 9, 5)
CHECK_BOUNDED(alike)
CHECK_BOUNDED(after_the_other)
CHECK_BOUNDED(in_one_sum)
CHECK_BOUNDED(begins_again)
CHECK_BOUNDED(goes_on)
CHECK_BOUNDED(ends_with_one)
CHECK_BOUNDED(left_by_one)
CHECK_BOUNDED(left_by_an_entry)
CHECK_BOUNDED(flags_anew)
CHECK_BOUNDED(of_the_other)
CHECK_BOUNDED(bits_alike)
CHECK_BOUNDED(cleared)
CHECK_BOUNDED(put_back)
CHECK_BOUNDED(set_by_data)
CHECK_BOUNDED(counted)
CHECK_BOUNDED(ends_with_a_bit)

TEST(what_takes_a_workspace) {
    check::array<span> ranges(spans);
#define TAKES_NONE(NAME) (NAME##_workspace_bytes(3, 8, nullptr, nullptr, nullptr, nullptr, ranges, 70) == 0)
#define TAKES(NAME) (NAME##_workspace_bytes(1, 12, nullptr, nullptr, nullptr, 9, 1000) > 0)
    EXPECT(TAKES_NONE(to_the_end));
    EXPECT(TAKES_NONE(all_asked));
    EXPECT(TAKES_NONE(any_asked));
    EXPECT(TAKES_NONE(left_by_a_break));
    EXPECT(TAKES_NONE(asked_first));
    EXPECT(TAKES_NONE(in_branches));
    EXPECT(TAKES_NONE(two_alike));
    EXPECT(with_ids_workspace_bytes(3, 8, nullptr, nullptr, nullptr, nullptr, nullptr, ranges, 70) == 0);
    check::array<int> from(offsets);
    EXPECT(TAKES_NONE(in_numbers));
    EXPECT(in_bits_workspace_bytes(3, 8, nullptr, nullptr, nullptr, nullptr, from, 70) == 0);
    EXPECT(in_bits_asked_singly_workspace_bytes(3, 8, nullptr, nullptr, nullptr, nullptr, from, 70) == 0);
    EXPECT(with_other_bits_workspace_bytes(3, 8, nullptr, nullptr, nullptr, nullptr, from, 70, 1) == 0);
    EXPECT(!TAKES(alike));
    EXPECT(TAKES(after_the_other));
    EXPECT(TAKES(in_one_sum));
    EXPECT(TAKES(begins_again));
    EXPECT(TAKES(goes_on));
    EXPECT(TAKES(ends_with_one));
    EXPECT(TAKES(left_by_one));
    EXPECT(TAKES(left_by_an_entry));
    EXPECT(TAKES(flags_anew));
    EXPECT(TAKES(of_the_other));
    EXPECT(!TAKES(bits_alike));
    EXPECT(TAKES(cleared));
    EXPECT(TAKES(put_back));
    EXPECT(TAKES(set_by_data));
    EXPECT(TAKES(counted));
    EXPECT(TAKES(ends_with_a_bit));
}
TEST_MAIN
