// Staged copies whose adjoints go straight to what was copied, and those that must keep a shadow. A thread
// leaves each loop by itself, so that nobody can sum up for all. The table of decisions is checked by
// tests/ownership/decisions.py.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)
struct pair_of {
    real a, b;
};
CHECK_CELLS(pair_of, CHECK_CELL(pair_of, a), CHECK_CELL(pair_of, b))

// What each kernel does with what is staged: sums up to where the sum is large, or to the thread's own end.
#define USE(BOUND, CELL)                                             \
    for (int j = 0; j < (BOUND) && j < 2 + t && sum < 40; j++) {     \
        real v = CELL;                                               \
        sum += v * v * own;                                          \
    }

// ---- taken ----

// By an index that is staged beside it.
BOTH("y wrt x")
__global__ void by_staged_index(real *y, const real *x, const int *ids, int n) {
    __shared__ real s[8];
    __shared__ int s_id[8];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        if (base + t < n) {
            s_id[t] = ids[base + t];
            s[t] = x[ids[base + t]];
        }
        __syncthreads();
        USE(min(8, n - base), s[j] * (1 + 0.1 * s_id[j]))
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[s_id[j]] +=: warp

// By the list itself: nothing else is staged.
BOTH("y wrt x")
__global__ void by_list(real *y, const real *x, const int *ids, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        if (base + t < n) s[t] = x[ids[base + t]];
        __syncthreads();
        USE(min(8, n - base), s[j])
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[ids[base + j]] +=: warp

// By a list of the thread's own, which another thread can read as well.
BOTH("y wrt x")
__global__ void by_own_list(real *y, const real *x, const int *places, int n) {
    __shared__ real s[8];
    int t = threadIdx.x, place = places[t];
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        s[t] = x[base + place];
        __syncthreads();
        USE(min(8, n - base), s[j])
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[base + place] +=: warp

// By place: the thread's number is the cell's.
BOTH("y wrt x, q")
__global__ void by_place(real *y, const real *x, const pair_of *q, int n) {
    __shared__ real s[8];
    __shared__ pair_of p[8];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        if (base + t < n) {
            s[t] = x[(base + t) * 2 + 1];
            p[t] = q[base + t];
        }
        __syncthreads();
        USE(min(8, n - base), s[j] + p[j].a * p[j].b)
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_q[base + j].a +=: warp
//= d_q[base + j].b +=: warp
//= d_x[(base + j) * 2 + 1] +=: warp

// ---- left: the shadow stays ----

// Not a copy.
BOTH("y wrt x")
__global__ void scaled(real *y, const real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        if (base + t < n) s[t] = 2 * x[base + t];
        __syncthreads();
        USE(min(8, n - base), s[j])
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[base + t] +=: atomic
//= d_s[j] +=: warp

// What is copied changes.
BOTH("y, x wrt x")
__global__ void changing(real *y, real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        if (base + t < n) s[t] = x[base + t];
        __syncthreads();
        USE(min(8, n - base), s[j])
        __syncthreads();
    }
    y[t] = sum;
    if (t < n) x[t] = 0.25 * t;
}
//= d_x[base + t] +=: atomic
//= d_s[j] +=: warp

// Two stores: which one was it?
BOTH("y wrt x")
__global__ void two_stores(real *y, const real *x, int n) {
    __shared__ real s[16];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 16 * blockIdx.x; base < n; base += 16) {
        s[t] = x[base + t];
        s[t + 8] = x[base + t + 8];
        __syncthreads();
        USE(16, s[j])
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[base + t] +=: atomic
//= d_x[base + t + 8] +=: atomic
//= d_s[j] +=: warp

// The last batch reads what an earlier one left.
BOTH("y wrt x")
__global__ void left_over(real *y, const real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        if (base + t < n) s[t] = x[base + t];
        __syncthreads();
        USE(8, s[j])
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[base + t] +=: atomic
//= d_s[j] +=: atomic

// Stored in a loop of its own: the last of them is what is read.
BOTH("y wrt x")
__global__ void stored_again(real *y, const real *x, int n) {
    __shared__ real s[24];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        for (int k = 0; k < n / 8; k++) s[(t + k * 8) % 24] = x[(base + t + k) % n];
        __syncthreads();
        USE(8, s[j + base % 24])
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[(base + t + k) % n] +=: atomic
//= d_s[j + ...] +=: warp

// Read before it is stored, of the batch before.
BOTH("y wrt x")
__global__ void read_before(real *y, const real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    s[t] = 0.5;
    __syncthreads();
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        USE(8, s[j])
        __syncthreads();
        s[t] = x[base + t];
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_s[j] +=: atomic
//= d_x[base + t] +=: atomic

// The value goes another way, too.
BOTH("y wrt x")
__global__ void used_twice(real *y, const real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        real v = x[base + t];
        s[t] = v;
        __syncthreads();
        USE(8, s[j])
        __syncthreads();
        sum += 0.125 * v;
    }
    y[HERE] = sum;
}
//= d_x[base + t] +=: atomic
//= d_s[j] +=: warp

// Another thread's place is not told by the cell: it is stored backwards.
BOTH("y wrt x")
__global__ void backwards(real *y, const real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        s[7 - t] = x[base + t];
        __syncthreads();
        USE(8, s[j])
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[base + t] +=: atomic
//= d_s[j] +=: warp

// The index that is staged is another one by the time of reading; and one that only some threads leave.
BOTH("y wrt x")
__global__ void other_index(real *y, const real *x, int n) {
    __shared__ real s[8];
    __shared__ int s_id[8];
    int t = threadIdx.x, place = 0;
    for (int k = 0; k < t; k++) place = (3 * place + 1) % 8;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        s_id[t] = place;
        s[t] = x[base + place];
        if (t % 2) s_id[t] = 0;
        __syncthreads();
        USE(8, s[j] * (1 + 0.1 * s_id[j]))
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[base + place] +=: atomic
//= d_s[j] +=: warp

BOTH("y wrt x")
__global__ void some_indices(real *y, const real *x, int n) {
    __shared__ real s[8];
    __shared__ int s_id[8];
    int t = threadIdx.x, place = 0;
    for (int k = 0; k < t; k++) place = (3 * place + 1) % 8;
    real own = 0.3 + 0.1 * t, sum = 0;
    s_id[t] = 7;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        if (t % 2) s_id[t] = place;
        s[t] = x[base + place];
        __syncthreads();
        USE(8, s[j] * (1 + 0.1 * s_id[j]))
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[base + place] +=: atomic
//= d_s[j] +=: atomic

// Lanes reach different cells.
BOTH("y wrt x")
__global__ void rotated(real *y, const real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        s[t] = x[base + t];
        __syncthreads();
        USE(8, s[(j + t) % 8])
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[base + t] +=: atomic
//= d_s[(j + t) % 8] +=: atomic

// All blocks stage the same cells.
BOTH("y wrt x")
__global__ void in_all_blocks(real *y, const real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 0; base < n; base += 8) {
        s[t] = x[base + t];
        __syncthreads();
        USE(8, s[j])
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[base + t] +=: copies
//= d_s[j] +=: warp

// One thread a cell.
BOTH("y wrt x")
__global__ void by_one(real *y, const real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        s[t] = x[base + t];
        __syncthreads();
        if (t == 0) USE(8, s[j])
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[base + t] +=: atomic

// Gathered: all threads run all of the loop.
BOTH("y wrt x")
__global__ void by_all(real *y, const real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real own = 0.3 + 0.1 * t, sum = 0;
    for (int base = 8 * blockIdx.x; base < n; base += 8) {
        s[t] = x[base + t];
        __syncthreads();
        for (int j = 0; j < 8; j++) sum += s[j] * s[j] * own;
        __syncthreads();
    }
    y[t] = sum;
}
//= d_x[base + t] +=: atomic

#include "sources.grad.cuh"

static const std::vector<double> order = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4};
CHECK_KERNEL(by_staged_index, 2, 8, out(16), in(20), list(order), 20)
CHECK_KERNEL(by_list, 2, 8, out(16), in(20), list(order), 20)
CHECK_KERNEL(by_own_list, 2, 8, out(16), in(24), list({4, 2, 7, 0, 1, 6, 3, 5}), 24)
CHECK_KERNEL(by_place, 2, 8, out(16), in(40), in(20), 20)
CHECK_KERNEL(scaled, 2, 8, out(16), in(20), 20)
CHECK_KERNEL(changing, 1, 8, out(8), inout(20), 20)
CHECK_KERNEL(two_stores, 2, 8, out(16), in(32), 32)
CHECK_KERNEL(left_over, 2, 8, out(16), in(20), 20)
CHECK_KERNEL(stored_again, 2, 8, out(16), in(24), 24)
CHECK_KERNEL(read_before, 2, 8, out(16), in(24), 24)
CHECK_KERNEL(used_twice, 2, 8, out(16), in(24), 24)
CHECK_KERNEL(backwards, 2, 8, out(16), in(24), 24)
CHECK_KERNEL(other_index, 2, 8, out(16), in(24), 24)
CHECK_KERNEL(some_indices, 2, 8, out(16), in(24), 24)
CHECK_KERNEL(rotated, 2, 8, out(16), in(24), 24)
CHECK_KERNEL(in_all_blocks, 2, 8, out(16), in(24), 24)
CHECK_KERNEL(by_one, 2, 8, out(16), in(24), 24)
CHECK_KERNEL(by_all, 1, 8, out(8), in(24), 24)
TEST_MAIN
