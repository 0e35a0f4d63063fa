// Ways to reach memory: pointers, structs, references, grids of two dimensions, shared and scattered cells.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x")
__global__ void pointer_walk(real *y, const real *x, int n, int width) {
    int i = HERE;
    if (i >= n) return;
    const real *p = x + i * width;
    real sum = 0;
    for (int k = 0; k < width; k++) {
        real v = *p++;
        sum += v * v * (k + 1);
    }
    real *q = &y[i];
    *q = sum;
}

BOTH("y wrt x")
__global__ void pointer_arithmetic(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    const real *last = x + n - 1;
    *(y + i) = *(last - i) * x[i] + 2 * *x;
}

// Neighbours: cells that other threads read too.
BOTH("y wrt x")
__global__ void stencil(real *y, const real *x, int n) {
    int i = HERE;
    if (i < 1 || i >= n - 1) return;
    y[i] = x[i - 1] * x[i] + x[i + 1] * x[i + 1];
}

BOTH("y wrt x")
__global__ void gather_indirect(real *y, const real *x, const int *from, int n) {
    int i = HERE;
    if (i < n) y[i] = x[from[i]] * x[from[i]];
}

BOTH("y wrt x")
__global__ void scatter_permuted(real *y, const real *x, const int *to, int n) {
    int i = HERE;
    if (i < n) y[to[i]] = x[i] * x[i] * x[i];
}

BOTH("y wrt x")
__global__ void all_read_one(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[0] * x[0] * (i + 1);
}

BOTH("y wrt x, w")
__global__ void two_dimensional(real *y, const real *x, const real *w, int height, int width) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= height || c >= width) return;
    y[r * width + c] = x[r * width + c] * x[r * width + c] * w[c] + w[r];
}

BOTH("y wrt x")
__global__ void transposed(real *y, const real *x, int height, int width) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < height && c < width) y[c * height + r] = exp(x[r * width + c]);
}

BOTH("y wrt x")
__global__ void three_dimensional(real *y, const real *x, int nx, int ny, int nz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < nx && j < ny && k < nz) {
        int at = (k * ny + j) * nx + i;
        y[at] = x[at] * x[at] * (1 + k);
    }
}

BOTH("y wrt x")
__global__ void grid_stride(real *y, const real *x, int n) {
    for (int i = HERE; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * sin(x[i]);
}

// The matrix product: each thread one element, rows and columns shared.
BOTH("c wrt a, b")
__global__ void matrix_product(real *c, const real *a, const real *b, int n, int m) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n) return;
    real sum = 0;
    for (int k = 0; k < m; k++) sum += a[row * m + k] * b[k * n + column];
    c[row * n + column] = sum;
}

struct point {
    real x, y;
    int tag;
    real z;
};
CHECK_CELLS(point, CHECK_CELL(point, x), CHECK_CELL(point, y), CHECK_CELL(point, z))

BOTH("y wrt p")
__global__ void array_of_structs(real *y, const point *p, int n) {
    int i = HERE;
    if (i >= n) return;
    y[i] = p[i].x * p[i].y + p[i].z * p[i].z + p[i].tag;
}

BOTH("q wrt p")
__global__ void structs_to_structs(point *q, const point *p, int n) {
    int i = HERE;
    if (i >= n) return;
    q[i].x = p[i].x * p[i].x;
    q[i].y = p[i].x * p[i].z;
}

BOTH("q wrt p")
__global__ void whole_structs(point *q, const point *p, int n) {
    int i = HERE;
    if (i >= n) return;
    point v = p[i];
    v.x = v.x * v.y;
    v.z += v.x * v.z;
    q[i] = v;
}

BOTH("y wrt x, s")
__global__ void struct_by_value(real *y, const real *x, point s, int n) {
    int i = HERE;
    if (i < n) y[i] = s.x * x[i] + s.y * s.z * x[i] * x[i] + s.tag;
}

struct nested {
    point inner;
    real weights[3];
};
CHECK_CELLS(nested, CHECK_CELL(nested, inner.x), CHECK_CELL(nested, inner.y), CHECK_CELL(nested, inner.z),
            CHECK_CELL(nested, weights[0]), CHECK_CELL(nested, weights[1]), CHECK_CELL(nested, weights[2]))

BOTH("y wrt p")
__global__ void nested_structs(real *y, const nested *p, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = p[i].inner.x * p[i].inner.z * p[i].inner.y;
    for (int k = 0; k < 3; k++) sum += p[i].weights[k] * p[i].weights[(k + i) % 3];
    y[i] = sum;
}

BOTH("y wrt x, s")
__global__ void nested_by_value(real *y, const real *x, nested s, int n) {
    int i = HERE;
    if (i < n) y[i] = s.weights[i % 3] * x[i] * s.inner.y + s.inner.x * s.inner.z * s.weights[0];
}

__device__ void rotate(real &a, real &b, real angle) {
    real c = cos(angle), s = sin(angle), old = a;
    a = c * old - s * b;
    b = s * old + c * b;
}

BOTH("y wrt x, angle")
__global__ void reference_parameters(real *y, const real *x, real angle, int n) {
    int i = HERE;
    if (2 * i + 1 >= n) return;
    real a = x[2 * i], b = x[2 * i + 1];
    rotate(a, b, angle);
    rotate(b, a, angle * angle);
    y[2 * i] = a * b;
    y[2 * i + 1] = b;
}

// The reference is bound to a cell of the output.
BOTH("y wrt x")
__global__ void reference_to_memory(real *y, const real *x, int n) {
    int i = HERE;
    if (2 * i + 1 >= n) return;
    y[2 * i] = x[2 * i];
    y[2 * i + 1] = x[2 * i + 1] * x[2 * i];
    rotate(y[2 * i], y[2 * i + 1], 0.5);
}

__device__ real first_of(const real *p, int stride) { return p[0] * p[stride]; }
__device__ void store_squared(real *p, real v) { *p = v * v; }

// Device functions whose pointer parameters are named differently from the kernel's.
BOTH("y wrt x")
__global__ void pointer_parameters(real *y, const real *x, int n) {
    int i = HERE;
    if (i + 3 >= n) return;
    store_squared(y + i, first_of(x + i, 3));
}

__device__ point make_point(real x, real y) {
    point p;
    p.x = x * y;
    p.y = y;
    p.tag = 1;
    p.z = x;
    return p;
}
__device__ real squared_length(const point &p) { return p.x * p.x + p.y * p.y + p.z * p.z; }

BOTH("y wrt x")
__global__ void structs_through_functions(real *y, const real *x, int n) {
    int i = HERE;
    if (i + 1 < n) y[i] = squared_length(make_point(x[i], x[i + 1]));
}

struct accumulator {
    real sum;
    __device__ void add(real v) { sum += v * v; }
    __device__ real get() const { return sum; }
};

BOTH("y wrt x")
__global__ void member_functions(real *y, const real *x, int n) {
    int i = HERE;
    if (i + 2 >= n) return;
    accumulator a = {x[i]};
    a.add(x[i + 1]);
    a.add(x[i + 2] * a.get());
    y[i] = a.get();
}

template <class T> __device__ T cube(T v) { return v * v * v; }
template <int N> __device__ real power(real v) {
    real r = 1;
    for (int k = 0; k < N; k++) r *= v;
    return r;
}

BOTH("y wrt x")
__global__ void templates(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = cube(x[i]) + power<4>(x[i]);
}

// Read after an own write: what is read is the new value.
BOTH("y wrt x")
__global__ void write_then_read(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    y[i] = x[i] * x[i];
    real v = y[i] + 1;
    y[i] = v * y[i];
    y[i] += v;
}

// Updates: the old content counts.
BOTH("y wrt x")
__global__ void read_modify_write(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    y[i] = y[i] * x[i] + y[i];
}

// Read behind a branch whose sides store it: what the sides left, not the memory, which gradients leave alone.
BOTH("y wrt x")
__global__ void stored_in_sides(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    if (x[i] > 0.6) y[i] = x[i] * x[i];
    else y[i] = 2 * x[i];
    y[i] += y[i] * x[0];
    if (x[i] > 0.8) y[i] *= y[i];
    y[i] *= y[i] + x[1];
}

// One side keeps what was stored before; sides of sides; a cell of which the index is made in between.
BOTH("y wrt x")
__global__ void stored_in_one_side(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    y[i] = x[i] * x[1];
    if (x[i] > 0.5) {
        if (x[i] > 0.7) y[i] = x[i] * x[i] * x[i];
        else if (x[i] > 0.6) y[i] *= y[i];
    }
    int k = i + n / n - 1;
    y[k] = y[i] * y[i] * x[0];
}

// What another iteration's branch stored is not what this one's did.
BOTH("y wrt x")
__global__ void stored_in_sides_of_a_loop(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int k = 0; k < 3; k++) {
        if (x[(i + k) % n] > 0.6) y[i] = x[i] * x[k];
        else y[i] = x[i] + x[k];
        sum += y[i] * y[i];
    }
    y[i] = sum;
}

BOTH("x wrt x")
__global__ void in_place(real *x, int n) {
    int i = HERE;
    if (i < n) x[i] = x[i] * x[i] * x[i];
}

BOTH("y, z wrt x, w")
__global__ void several_outputs(real *y, real *z, const real *x, const real *w, int n) {
    int i = HERE;
    if (i >= n) return;
    real p = x[i] * w[i];
    y[i] = p * x[i];
    z[n - 1 - i] = p + w[i] * w[i];
}

__constant__ real table[4] = {1, 0.5, 0.25, 0.125};
__device__ const real shift[2] = {0.75, -0.25};

BOTH("y wrt x")
__global__ void constant_tables(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = table[i % 4] * x[i] * x[i] + shift[i & 1] * x[i];
}

BOTH("y wrt x")
__global__ void restricted(real *__restrict__ y, const real *__restrict__ x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] / (1 + x[i]);
}

// The struct of the iteration before, read before it is set to that of this one.
struct pair {
    real part[2];
};
CHECK_CELLS(pair, CHECK_CELL(pair, part[0]), CHECK_CELL(pair, part[1]))
BOTH("y wrt x")
__global__ void previous_struct(real *y, const pair *x, int n) {
    int i = HERE;
    if (i >= n) return;
    pair last;
    real sum = 0;
    for (int k = 0; k <= i; k++) {
        if (k > 0) sum += last.part[0] * x[k].part[1] + last.part[1];
        last = x[k];
    }
    y[i] = sum * last.part[0];
}

// ---- a thread's own cell, under branches ----
BOTH("y wrt x")
__global__ void stored_on_one_side(real *y, const real *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    if (x[i] > 1) y[i] = x[i] * x[i];
    y[i] += y[i] * x[0];
}
BOTH("y wrt x")
__global__ void asked_twice(real *y, const real *x, int n) {
    const int i = HERE;
    if (i < n) y[i] = x[i] * x[i];
    if (i < n) y[i] += y[i] * x[0];
}
BOTH("y wrt x")
__global__ void in_steps(real *y, const real *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    if (x[i] > 0.75) {
        if (x[i] > 1.25) y[i] = x[i];
        y[i] *= y[i];
    }
    const real before = y[i] * y[i];
    if (x[i] < 1) y[i] = before + x[1];
    y[i] = y[i] * before * x[0];
}
BOTH("y wrt x")
__global__ void in_strides(real *y, const real *x, int n) {
    for (int i = HERE; i < n; i += blockDim.x * gridDim.x) {
        if (x[i] > 1) y[i] = x[i] * x[i];
        y[i] += y[i] * x[0];
    }
}

BOTH("y wrt x")
__global__ void in_rounds(real *y, const real *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    for (int k = 0; k < 3; k++) {
        if (x[k] > 1) y[i] = x[i] * x[k];
        y[i] += y[i] * x[0];
    }
}

// What the caller gives, or is made here and read from where it is: by a pointer that leads to one of both.
BOTH("y, made wrt x")
__global__ void given_or_made(real *y, real *made, const real *x, const real *given, int n) {
    const int i = HERE;
    if (i >= n) return;
    const real *c;
    if (given) c = given + 2 * i;
    else {
        made[2 * i] = x[i] * x[i];
        made[2 * i + 1] = sin(x[i]);
        c = made + 2 * i;
    }
    y[i] = c[0] * c[0] * c[1] * x[0];
}
BOTH("y, made wrt x")
__global__ void made_or_given(real *y, real *made, const real *x, const real *given, int n) {
    const int i = HERE;
    if (i >= n) return;
    const bool has = given != nullptr && i % 3 != 1;
    if (!has) made[3 * i] = x[i] * x[0], made[3 * i + 1] = x[i] * x[1], made[3 * i + 2] = 2 * x[i];
    const real *c = has ? given + 3 * i : made + 3 * i;
    y[i] = c[0] * c[1] * c[1] + c[2] * x[2];
}
// The same with indices of eight bytes, and unsigned ones that are widened behind the pointer.
BOTH("y, made wrt x")
__global__ void given_or_made_wide(real *y, real *made, const real *x, const real *given, int n) {
    const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    if ((int)i >= n) return;
    const real *c = given + i * 2;
    if (!given) {
        made[2 * i] = x[i] * x[i];
        made[2 * i + 1] = sin(x[i]);
        c = made + i * 2;
    }
    y[i] = c[0] * c[1] * x[0];
}
BOTH("y, made wrt x")
__global__ void given_or_made_unsigned(real *y, real *made, const real *x, const real *given, int n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((int)i >= n) return;
    const real *c = given + i * 2;
    if (!given) {
        made[2 * i] = x[i] * x[i];
        c = made + i * 2;
        made[2 * i + 1] = sin(x[i]) * c[0];
    }
    y[i] = c[0] * c[0] * x[0];
}
// What is stored is not what the pointer leads to.
BOTH("y, made wrt x")
__global__ void made_elsewhere(real *y, real *made, const real *x, const real *other, int which, int n) {
    const int i = HERE;
    if (i >= n) return;
    const real *c = other + i;
    if (which) {
        made[i] = x[i] * x[i];
        c = x + i;
    }
    y[i] = c[0] * c[0] * x[0];
}

#include "memory.grad.cuh"

CHECK_KERNEL(pointer_walk, 1, 16, out(10), in(50), 10, 5)
CHECK_KERNEL(pointer_arithmetic, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(stencil, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(gather_indirect, 1, 16, out(12), in(5), list({0, 1, 2, 3, 4, 4, 4, 0, 1, 2, 2, 2}), 12)
CHECK_KERNEL(scatter_permuted, 1, 8, out(6), in(6), list({5, 3, 0, 1, 4, 2}), 6)
CHECK_KERNEL(all_read_one, 2, 16, out(20), in(3), 20)
CHECK_KERNEL(two_dimensional, dim3(2, 2), dim3(4, 3), out(35), in(35), in(7), 5, 7)
CHECK_KERNEL(transposed, dim3(2, 2), dim3(4, 3), out(35), in(35), 5, 7)
CHECK_KERNEL(three_dimensional, dim3(2, 2, 2), dim3(2, 2, 2), out(27), in(27), 3, 3, 3)
CHECK_KERNEL(grid_stride, 2, 8, out(50), in(50), 50)
CHECK_KERNEL(matrix_product, dim3(2, 2), dim3(4, 4), out(36), in(24), in(24), 6, 4)
CHECK_KERNEL(array_of_structs, 1, 16, out(9), in(9), 9)
CHECK_KERNEL(structs_to_structs, 1, 16, out(9), in(9), 9)
CHECK_KERNEL(whole_structs, 1, 16, out(9), in(9), 9)
CHECK_KERNEL(struct_by_value, 2, 16, out(20), in(20), active(point{1.5, 0.5, 2, -0.75}), 20)
CHECK_KERNEL(nested_structs, 1, 16, out(9), in(9), 9)
CHECK_KERNEL(nested_by_value, 1, 16, out(9), in(9), active(nested{{1.5, 0.5, 2, -0.75}, {1, 2, 3}}), 9)
CHECK_KERNEL(reference_parameters, 1, 16, out(20), in(20), active(0.6), 20)
CHECK_KERNEL(reference_to_memory, 1, 16, out(20), in(20), 20)
CHECK_KERNEL(pointer_parameters, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(structs_through_functions, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(member_functions, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(templates, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(write_then_read, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(read_modify_write, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(stored_in_sides, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(stored_in_one_side, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(stored_in_sides_of_a_loop, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(in_place, 2, 16, inout(20), 20)
CHECK_KERNEL(several_outputs, 2, 16, out(20), out(20), in(20), in(20), 20)
CHECK_KERNEL(constant_tables, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(restricted, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(previous_struct, 1, 16, out(9), in(9), 9)
CHECK_KERNEL(stored_on_one_side, 2, 16, inout(30), in(30), 30)
CHECK_KERNEL(asked_twice, 2, 16, out(30), in(30), 30)
CHECK_KERNEL(in_steps, 2, 16, inout(30), in(30), 30)
CHECK_KERNEL(in_rounds, 2, 16, inout(30), in(30), 30)
CHECK_KERNEL(in_strides, 2, 8, inout(30), in(30), 30)
CHECK_KERNEL(given_or_made, 2, 16, out(30), out(60), in(30), (const double *)nullptr, 30)
CHECK_CASE(given, given_or_made, given_or_made, 1e-8, 2, 16, out(30), out(60), in(30), fixed(60), 30)
CHECK_KERNEL(made_or_given, 2, 16, out(30), out(90), in(30), fixed(90), 30)
CHECK_CASE(made, made_or_given, made_or_given, 1e-8, 2, 16, out(30), out(90), in(30), (const double *)nullptr,
           30)
CHECK_KERNEL(given_or_made_wide, 2, 16, out(30), out(60), in(30), (const double *)nullptr, 30)
CHECK_KERNEL(given_or_made_unsigned, 2, 16, out(30), out(60), in(30), (const double *)nullptr, 30)
CHECK_KERNEL(made_elsewhere, 2, 16, out(30), out(30), in(30), fixed(30), 1, 30)
TEST_MAIN
