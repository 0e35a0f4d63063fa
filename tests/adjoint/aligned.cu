// Atomic additions to float members side by side: by one instruction where the struct's alignment makes them an
// aligned pair or four, alone where it does not; and sums of a warp where members are not side by side,
// whatever is between them. The table of decisions is checked by tests/ownership/decisions.py; the CPU device
// traps at a pair or four that is not aligned.
#include "../support/check.cuh"

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// A struct of floats, and the same of doubles for the differences.
#define BOTH_TYPES(name) \
    typedef name##_of<float, int> name; \
    typedef name##_of<double, long long> name##_double;
#define CELLS(name, ...) CELLS_OF(name, __VA_ARGS__)
#define CELLS_OF(name, ...) CHECK_CELLS(name, __VA_ARGS__)
#define VALUE(name) template <class T, class P> __device__ T name##_of_(const P *p, int k)
#define DOUBLE(name, P)                                                                                        \
    __global__ void name##_double(double *y, const P *p, const int *list) {                                    \
        y[HERE] = name##_of_<double>(p, list[HERE]);                                                           \
    }

#define TWO(P) CELLS(P, CHECK_CELL(P, x), CHECK_CELL(P, y))
#define FOUR(P) CELLS(P, CHECK_CELL(P, x), CHECK_CELL(P, y), CHECK_CELL(P, a), CHECK_CELL(P, b))

// ---- alone ----
// The type is aligned as a float is.
template <class T, class I> struct plain_of { T x, y; };
BOTH_TYPES(plain)
TWO(plain)
TWO(plain_double)
VALUE(of_plain) { return p[k].x * p[k].y; }
BOTH("y wrt p")
__global__ void of_plain(float *y, const plain *p, const int *list) {
    y[HERE] = of_plain_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: atomic
//= d_p[k].y +=: atomic
DOUBLE(of_plain, plain_double)

template <class T, class I> struct alignas(4 * sizeof(T)) splat_of { T x, y, a, b; };
BOTH_TYPES(splat)
FOUR(splat)
FOUR(splat_double)

// One, the middle two, two with others between.
VALUE(one) { return p[k].y * p[k].y; }
BOTH("y wrt p")
__global__ void one(float *y, const splat *p, const int *list) {
    y[HERE] = one_of_<float>(p, list[HERE]);
}
//= d_p[k].y +=: atomic
DOUBLE(one, splat_double)

VALUE(middle) { return p[k].y * p[k].a; }
BOTH("y wrt p")
__global__ void middle(float *y, const splat *p, const int *list) {
    y[HERE] = middle_of_<float>(p, list[HERE]);
}
//= d_p[k].y +=: atomic
//= d_p[k].a +=: atomic
DOUBLE(middle, splat_double)

VALUE(every_other) { return p[k].x * p[k].a; }
BOTH("y wrt p")
__global__ void every_other(float *y, const splat *p, const int *list) {
    y[HERE] = every_other_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: atomic
//= d_p[k].a +=: atomic
DOUBLE(every_other, splat_double)

// Under a condition, and under another.
VALUE(sometimes) { T v = 1; if (HERE % 3 == 0) v *= p[k].x; if (HERE % 2 == 0) v *= p[k].y; return v; }
BOTH("y wrt p")
__global__ void sometimes(float *y, const splat *p, const int *list) {
    y[HERE] = sometimes_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: atomic
//= d_p[k].y +=: atomic
DOUBLE(sometimes, splat_double)

// The members are of two elements.
VALUE(apart) { return p[k].x * p[k + 1].y; }
BOTH("y wrt p")
__global__ void apart(float *y, const splat *p, const int *list) {
    y[HERE] = apart_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: atomic
//= d_p[k + 1].y +=: atomic
DOUBLE(apart, splat_double)

// Something before them, so that none of them begins a pair.
template <class T, class I> struct alignas(2 * sizeof(T)) headed_of { I n; T x, y; };
BOTH_TYPES(headed)
TWO(headed)
TWO(headed_double)
VALUE(behind) { return p[k].x * p[k].y; }
BOTH("y wrt p")
__global__ void behind(float *y, const headed *p, const int *list) {
    y[HERE] = behind_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: atomic
//= d_p[k].y +=: atomic
DOUBLE(behind, headed_double)

// Padding between them, or an unnamed bit-field.
template <class T, class I> struct alignas(4 * sizeof(T)) gap_of { T x; alignas(2 * sizeof(T)) T y; };
BOTH_TYPES(gap)
TWO(gap)
TWO(gap_double)
VALUE(over_padding) { return p[k].x * p[k].y; }
BOTH("y wrt p")
__global__ void over_padding(float *y, const gap *p, const int *list) {
    y[HERE] = over_padding_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: atomic
//= d_p[k].y +=: atomic
DOUBLE(over_padding, gap_double)

template <class T, class I> struct alignas(4 * sizeof(T)) bits_of { T x; I : 8 * sizeof(I); T y; };
BOTH_TYPES(bits)
TWO(bits)
TWO(bits_double)
VALUE(over_bits) { return p[k].x * p[k].y; }
BOTH("y wrt p")
__global__ void over_bits(float *y, const bits *p, const int *list) {
    y[HERE] = over_bits_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: atomic
//= d_p[k].y +=: atomic
DOUBLE(over_bits, bits_double)

// Doubles have no such instruction.
BOTH("y wrt p")
__global__ void of_doubles(double *y, const splat_double *p, const int *list) {
    y[HERE] = p[list[HERE]].x * p[list[HERE]].y;
}
//= d_p[list[blockIdx.x * blockDim.x + threadIdx.x]].x +=: atomic
//= d_p[list[blockIdx.x * blockDim.x + threadIdx.x]].y +=: atomic
__global__ void of_doubles_double(double *y, const splat_double *p, const int *list) {
    y[HERE] = p[list[HERE]].x * p[list[HERE]].y;
}

// Elements of an array at run time, even where they are a pair.
template <class T, class I> struct alignas(4 * sizeof(T)) row_of { T v[8]; };
BOTH_TYPES(row)
#define EIGHT(P)                                                                                               \
    CELLS(P, CHECK_CELL(P, v[0]), CHECK_CELL(P, v[1]), CHECK_CELL(P, v[2]), CHECK_CELL(P, v[3]),               \
          CHECK_CELL(P, v[4]), CHECK_CELL(P, v[5]), CHECK_CELL(P, v[6]), CHECK_CELL(P, v[7]))
EIGHT(row)
EIGHT(row_double)
VALUE(at_run_time) { int j = HERE % 7; return p[k].v[j] * p[k].v[j + 1]; }
BOTH("y wrt p")
__global__ void at_run_time(float *y, const row *p, const int *list) {
    y[HERE] = at_run_time_of_<float>(p, list[HERE]);
}
//= d_p[k].v[j] +=: atomic
//= d_p[k].v[j + 1] +=: atomic
DOUBLE(at_run_time, row_double)

// What a float * is cast to promises nothing of where it leads.
VALUE(of_cast) { return p[4 * k] * p[4 * k + 1]; }
BOTH("y wrt p")
__global__ void of_cast(float *y, const float *p, const int *list) {
    const splat *s = (const splat *)p;
    y[HERE] = s[list[HERE]].x * s[list[HERE]].y;
}
//= d_p[list[blockIdx.x * blockDim.x + threadIdx.x] * 4] +=: atomic
//= d_p[list[blockIdx.x * blockDim.x + threadIdx.x] * 4 + 1] +=: atomic
DOUBLE(of_cast, double)

// Shared memory has no such instruction.
BOTH("y wrt p")
__global__ void in_shared(float *y, const splat *p, const int *list) {
    __shared__ splat s[64];
    s[threadIdx.x] = p[HERE];
    __syncthreads();
    splat v = s[list[HERE]];
    y[HERE] = v.x * v.y;
}
//= d_s[list[blockIdx.x * blockDim.x + threadIdx.x]].x +=: atomic
//= d_s[list[blockIdx.x * blockDim.x + threadIdx.x]].y +=: atomic
__global__ void in_shared_double(double *y, const splat_double *p, const int *list) {
    splat_double v = p[list[HERE] + (int)(blockIdx.x * blockDim.x)];
    y[HERE] = v.x * v.y;
}

// ---- together ----
// All four: of a struct aligned by C++,
VALUE(four) { P v = p[k]; return v.a * v.b + v.x * v.y * v.y; }
BOTH("y wrt p")
__global__ void four(float *y, const splat *p, const int *list) {
    y[HERE] = four_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: vector
//= d_p[k].y +=: vector
//= d_p[k].a +=: vector
//= d_p[k].b +=: vector
DOUBLE(four, splat_double)

// by the macro of CUDA, by the attribute of GCC;
template <class T, class I> struct __align__(16) by_macro_of { T x, y, a, b; };
BOTH_TYPES(by_macro)
FOUR(by_macro)
FOUR(by_macro_double)
BOTH("y wrt p") GW_ACCUMULATE(p, vector)
__global__ void with_macro(float *y, const by_macro *p, const int *list) {
    y[HERE] = four_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: vector
//= d_p[k].y +=: vector
//= d_p[k].a +=: vector
//= d_p[k].b +=: vector
__global__ void with_macro_double(double *y, const by_macro_double *p, const int *list) {
    y[HERE] = four_of_<double>(p, list[HERE]);
}

template <class T, class I> struct by_attribute_of { T x, y, a, b; } __attribute__((aligned(16)));
BOTH_TYPES(by_attribute)
FOUR(by_attribute)
FOUR(by_attribute_double)
BOTH("y wrt p")
__global__ void with_attribute(float *y, const by_attribute *p, const int *list) {
    y[HERE] = four_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: vector
//= d_p[k].y +=: vector
//= d_p[k].a +=: vector
//= d_p[k].b +=: vector
__global__ void with_attribute_double(double *y, const by_attribute_double *p, const int *list) {
    y[HERE] = four_of_<double>(p, list[HERE]);
}

// two pairs, where it is aligned to 8 bytes.
template <class T, class I> struct alignas(8) halves_of { T x, y, a, b, c, d; };
BOTH_TYPES(halves)
#define SIX(P)                                                                                                 \
    CELLS(P, CHECK_CELL(P, x), CHECK_CELL(P, y), CHECK_CELL(P, a), CHECK_CELL(P, b), CHECK_CELL(P, c),         \
          CHECK_CELL(P, d))
SIX(halves)
SIX(halves_double)
BOTH("y wrt p")
__global__ void two_pairs(float *y, const halves *p, const int *list) {
    y[HERE] = four_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: vector
//= d_p[k].y +=: vector
//= d_p[k].a +=: vector
//= d_p[k].b +=: vector
__global__ void two_pairs_double(double *y, const halves_double *p, const int *list) {
    y[HERE] = four_of_<double>(p, list[HERE]);
}

// The last of three is alone.
VALUE(three) { return p[k].x * p[k].y * p[k].a; }
BOTH("y wrt p")
__global__ void three(float *y, const splat *p, const int *list) {
    y[HERE] = three_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: vector
//= d_p[k].y +=: vector
//= d_p[k].a +=: atomic
DOUBLE(three, splat_double)

// Across structs in it: behind one float a pair, of which each is one of another pair.
template <class T, class I> struct outer_of {
    alignas(4 * sizeof(T)) T a;
    plain_of<T, I> in;
    T b;
    I n;
    T c, d;
    plain_of<T, I> more[3];
};
BOTH_TYPES(outer)
#define NESTED(P)                                                                                              \
    CELLS(P, CHECK_CELL(P, a), CHECK_CELL(P, in.x), CHECK_CELL(P, in.y), CHECK_CELL(P, b), CHECK_CELL(P, c),   \
          CHECK_CELL(P, d), CHECK_CELL(P, more[0].x), CHECK_CELL(P, more[0].y), CHECK_CELL(P, more[1].x),      \
          CHECK_CELL(P, more[1].y), CHECK_CELL(P, more[2].x), CHECK_CELL(P, more[2].y))
NESTED(outer)
NESTED(outer_double)
VALUE(nested) { return p[k].a * p[k].in.x * p[k].in.y * p[k].b; }
BOTH("y wrt p")
__global__ void nested(float *y, const outer *p, const int *list) {
    y[HERE] = nested_of_<float>(p, list[HERE]);
}
//= d_p[k].a +=: vector
//= d_p[k].in.x +=: vector
//= d_p[k].in.y +=: vector
//= d_p[k].b +=: vector
DOUBLE(nested, outer_double)

// Here the pairs are at 4 and 28: c is alone, d goes with the first of more, the y of each with the x of the
// next.
VALUE(shifted) {
    return p[k].in.x * p[k].in.y * p[k].c * p[k].d * p[k].more[0].x * p[k].more[0].y * p[k].more[1].x;
}
BOTH("y wrt p")
__global__ void shifted(float *y, const outer *p, const int *list) {
    y[HERE] = shifted_of_<float>(p, list[HERE]);
}
//= d_p[k].in.x +=: atomic
//= d_p[k].in.y +=: atomic
//= d_p[k].c +=: atomic
//= d_p[k].d +=: vector
//= d_p[k].more[0].x +=: vector
//= d_p[k].more[0].y +=: vector
//= d_p[k].more[1].x +=: vector
DOUBLE(shifted, outer_double)

// Elements of arrays in it: of floats by constants, of structs by anything, if these end at multiples of their
// alignment.
VALUE(elements) { return p[k].v[2] * p[k].v[3] * p[k].v[4] * p[k].v[5] * p[k].v[6] * p[k].v[7] * p[k].v[1]; }
BOTH("y wrt p")
__global__ void elements(float *y, const row *p, const int *list) {
    y[HERE] = elements_of_<float>(p, list[HERE]);
}
//= d_p[k].v[1] +=: atomic
//= d_p[k].v[2] +=: vector
//= d_p[k].v[3] +=: vector
//= d_p[k].v[4] +=: vector
//= d_p[k].v[5] +=: vector
//= d_p[k].v[6] +=: vector
//= d_p[k].v[7] +=: vector
DOUBLE(elements, row_double)

template <class T, class I> struct alignas(16) many_of { plain_of<T, I> at[4]; };
BOTH_TYPES(many)
#define MANY(P)                                                                                                \
    CELLS(P, CHECK_CELL(P, at[0].x), CHECK_CELL(P, at[0].y), CHECK_CELL(P, at[1].x), CHECK_CELL(P, at[1].y),   \
          CHECK_CELL(P, at[2].x), CHECK_CELL(P, at[2].y), CHECK_CELL(P, at[3].x), CHECK_CELL(P, at[3].y))
MANY(many)
MANY(many_double)
VALUE(of_many) { int j = HERE % 4; return p[k].at[j].x * p[k].at[j].y; }
BOTH("y wrt p")
__global__ void of_many(float *y, const many *p, const int *list) {
    y[HERE] = of_many_of_<float>(p, list[HERE]);
}
//= d_p[k].at[j].x +=: vector
//= d_p[k].at[j].y +=: vector
DOUBLE(of_many, many_double)

// Names of a union.
template <class T, class I> struct alignas(4 * sizeof(T)) united_of {
    T x, y;
    union {
        struct { T a, b; };
        T v[2];
    };
};
BOTH_TYPES(united)
FOUR(united)
FOUR(united_double)
VALUE(of_union) { return p[k].x * p[k].y * p[k].a * p[k].v[1]; }
BOTH("y wrt p")
__global__ void of_union(float *y, const united *p, const int *list) {
    y[HERE] = of_union_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: vector
//= d_p[k].y +=: vector
//= d_p[k].v[0] +=: vector
//= d_p[k].v[1] +=: vector
DOUBLE(of_union, united_double)

// ---- sums of a warp ----
// Neighbouring lanes write neighbours only where these are: not over what is between them.
VALUE(sum_over_padding) { return p[blockIdx.x].x * p[blockIdx.x].y * (T)(1 + k); }
BOTH("y wrt p")
__global__ void sum_over_padding(float *y, const gap *p, const int *list) {
    y[HERE] = sum_over_padding_of_<float>(p, list[HERE]);
}
//= d_p[blockIdx.x].x +=: warp
//= d_p[blockIdx.x].y +=: warp
DOUBLE(sum_over_padding, gap_double)

VALUE(sum_over_bits) { return p[blockIdx.x].x * p[blockIdx.x].y * (T)(1 + k); }
BOTH("y wrt p")
__global__ void sum_over_bits(float *y, const bits *p, const int *list) {
    y[HERE] = sum_over_bits_of_<float>(p, list[HERE]);
}
//= d_p[blockIdx.x].x +=: warp
//= d_p[blockIdx.x].y +=: warp
DOUBLE(sum_over_bits, bits_double)

// Nor over the end of a base class.
template <class T> struct wide_base_of { alignas(2 * sizeof(T)) T x; };
template <class T, class I> struct wide_of : wide_base_of<T> { T y; };
BOTH_TYPES(wide)
CELLS(wide, check::cell{0, sizeof(float)}, check::cell{sizeof(wide_base_of<float>), sizeof(float)})
CELLS(wide_double, check::cell{0, sizeof(double)}, check::cell{sizeof(wide_base_of<double>), sizeof(double)})
static_assert(sizeof(wide) == 16, "the base class has padding behind it");
VALUE(sum_over_base) { return p[blockIdx.x].x * p[blockIdx.x].y * (T)(1 + k); }
BOTH("y wrt p")
__global__ void sum_over_base(float *y, const wide *p, const int *list) {
    y[HERE] = sum_over_base_of_<float>(p, list[HERE]);
}
//= d_p[blockIdx.x].x +=: warp
//= d_p[blockIdx.x].y +=: warp
DOUBLE(sum_over_base, wide_double)

// Those of structs in it and elements of an array are.
VALUE(sum_nested) {
    return p[blockIdx.x].a * p[blockIdx.x].in.x * p[blockIdx.x].in.y * p[blockIdx.x].b *
           p[blockIdx.x].more[1].y * p[blockIdx.x].more[2].x * (T)(1 + k);
}
BOTH("y wrt p")
__global__ void sum_nested(float *y, const outer *p, const int *list) {
    y[HERE] = sum_nested_of_<float>(p, list[HERE]);
}
//= d_p[blockIdx.x].a +=: warp
//= d_p[blockIdx.x].in.x +=: warp
//= d_p[blockIdx.x].in.y +=: warp
//= d_p[blockIdx.x].b +=: warp
//= d_p[blockIdx.x].more[1].y +=: warp
//= d_p[blockIdx.x].more[2].x +=: warp
DOUBLE(sum_nested, outer_double)

// As records of four members, only those side by side.
BOTH("y wrt p") GW_ACCUMULATE(p, record)
__global__ void of_records(float *y, const halves *p, const int *list) {
    y[HERE] = four_of_<float>(p, list[HERE]);
}
//= d_p[k].x +=: record
//= d_p[k].y +=: record
//= d_p[k].a +=: record
//= d_p[k].b +=: record
__global__ void of_records_double(double *y, const halves_double *p, const int *list) {
    y[HERE] = four_of_<double>(p, list[HERE]);
}

#include "aligned.grad.cuh"

static std::vector<int> lists(int n) {
    std::vector<int> of;
    for (int i = 0; i < n; i++) of.push_back(i * 7 % 5);
    return of;
}

#define CASE(name, cells) CHECK_FLOAT(name, name##_double, 1e-4, 2, 45, out(90), in(cells), given(lists(90)))
CASE(of_plain, 10)
CASE(one, 10)
CASE(middle, 10)
CASE(every_other, 10)
CASE(sometimes, 10)
CASE(apart, 10)
CASE(behind, 10)
CASE(over_padding, 10)
CASE(over_bits, 10)
CASE(of_cast, 40)
CASE(at_run_time, 10)
CASE(in_shared, 90)
CASE(four, 10)
CASE(with_macro, 10)
CASE(with_attribute, 10)
CASE(two_pairs, 10)
CASE(three, 10)
CASE(nested, 10)
CASE(shifted, 10)
CASE(elements, 10)
CASE(of_many, 10)
CASE(of_union, 10)
CASE(sum_over_padding, 10)
CASE(sum_over_bits, 10)
CASE(sum_over_base, 10)
CASE(sum_nested, 10)
CASE(of_records, 10)
TEST_MAIN
