// What a source defines before it includes its gradient: no header that emitted text includes, and no emitted
// text, has names that macros of the user's may have. The headers come for the first time here, behind the
// macros. (x, y and z are CUDA's own; so are the names of what reduce.h and tape.h let callers look into.)
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <gradwright/gradwright.h>

GW_GRADIENT("result_of wrt given, factor")
GW_DERIVATIVE("result_of wrt given, factor")
GW_SPLIT_GRADIENT("result_of wrt given, factor")
__global__ void chain(double *result_of, const double *given, const double *factor, int steps) {
    int here = blockIdx.x * blockDim.x + threadIdx.x;
    double value_of = given[here];
    for (int step_of = 0; step_of < steps; step_of++)
        value_of = 0.5 * value_of * sin(value_of) + factor[0] * given[here];
    result_of[here] = value_of;
}
GW_GRADIENT("wrt given")
__host__ __device__ double curve(double given, double other) { return pow(given, other) + lgamma(given); }

#define A 1
#define B 2
#define C 3
#define D 4
#define E 5
#define F 6
#define G 7
#define H 8
#define I 9
#define J 10
#define K 11
#define L 12
#define M 13
#define N 14
#define O 15
#define P 16
#define Q 17
#define R 18
#define S 19
#define T 20
#define U 21
#define V 22
#define W 23
#define X 24
#define Y 25
#define Z 26
#define a 1
#define b 2
#define c 3
#define d 4
#define e 5
#define f 6
#define g 7
#define h 8
#define i 9
#define j 10
#define k 11
#define l 12
#define m 13
#define n 14
#define o 15
#define p 16
#define q 17
#define r 18
#define s 19
#define t 20
#define u 21
#define v 22
#define w 23
#define real double
#define size 64
#define count 3
#define index 4
#define value 5
#define data 6
#define sum 7
#define first 8
#define last 9
#define begin 10
#define grid 12
#define block 13
#define thread 14
#define lane 15
#define lanes 16
#define warp 17
#define tile 18
#define width 19
#define height 20
#define kernel 21
#define cell 22
#define next 23
#define name 24
#define status 25
#define tape 26
#define format 27
#define workspace 28
#define OWN 29
#define SOME 30
#define WIDE 31
#define COLUMNS 32
#define BLOCK 33
#define SIZE 34
#define DIM 35
#define PI 3.14

#include "macros.grad.cuh"
#include <gradwright/atomic.cuh>
#include <gradwright/emitted/claims.cuh>
#include <gradwright/emitted/copies.cuh>
#include <gradwright/emitted/exact.cuh>
#include <gradwright/emitted/half.cuh>
#include <gradwright/tape.h>
#ifdef GW_CPU_DEVICE // else it includes CUB, which has names of its own
#include <gradwright/emitted/list_slots.cuh>
#endif

#undef A
#undef B
#undef C
#undef D
#undef E
#undef F
#undef G
#undef H
#undef I
#undef J
#undef K
#undef L
#undef M
#undef N
#undef O
#undef P
#undef Q
#undef R
#undef S
#undef T
#undef U
#undef V
#undef W
#undef X
#undef Y
#undef Z
#undef a
#undef b
#undef c
#undef d
#undef e
#undef f
#undef g
#undef h
#undef i
#undef j
#undef k
#undef l
#undef m
#undef n
#undef o
#undef p
#undef q
#undef r
#undef s
#undef t
#undef u
#undef v
#undef w
#undef real
#undef size
#undef count
#undef index
#undef value
#undef data
#undef sum
#undef first
#undef last
#undef begin
#undef grid
#undef block
#undef thread
#undef lane
#undef lanes
#undef warp
#undef tile
#undef width
#undef height
#undef kernel
#undef cell
#undef next
#undef name
#undef status
#undef tape
#undef format
#undef workspace
#undef OWN
#undef SOME
#undef WIDE
#undef COLUMNS
#undef BLOCK
#undef SIZE
#undef DIM
#undef PI
#include "../support/expect.cuh"

TEST(macros_of_the_source_leave_the_gradient_alone) {
    const int threads = 32, steps = 3;
    const std::vector<double> given(threads, 0.7), ones(threads, 1.0), zeros(threads, 0.0);
    const double shift = 1e-6;
    check::array<double> out{zeros}, from{given}, factor{std::vector<double>{0.4}}, d_out{ones}, d_from{zeros},
        d_factor{std::vector<double>{0.0}};
    check::device_bytes space(chain_workspace_bytes(1, threads, out, from, factor, steps));
    EXPECT_STATUS(chain_grad_launch(1, threads, 0, 0, out, from, factor, steps, d_out, d_from, d_factor,
                                    space.data(), space.size()),
                  GW_OK);
    EXPECT_DEVICE_OK();
    double at[2];
    for (int side = 0; side < 2; side++) {
        check::array<double> moved{std::vector<double>(threads, 0.7 + (side ? shift : -shift))};
        chain<<<1, threads>>>(out.data(), moved.data(), factor.data(), steps);
        EXPECT_DEVICE_OK();
        at[side] = out.get()[5];
    }
    EXPECT_NEAR(d_from.get()[5], (at[1] - at[0]) / (2 * shift), 1e-7);
    double d_given = 0;
    curve_grad(1.3, 0.9, &d_given);
    EXPECT_NEAR(d_given, (curve(1.3 + shift, 0.9) - curve(1.3 - shift, 0.9)) / (2 * shift), 1e-7);
}
TEST_MAIN
