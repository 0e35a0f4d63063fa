// One thread stores, and others have no such number, or no such cell, or nobody to store it: what a row's lanes
// have after four steps of five, in half warps, of the place in the row; of a warp in place of the block; where
// lanes, or the row's data, decide about the store.
// obeys: kept-output
#include <gradwright/gradwright.h>

#ifdef OBEYED
#define OF_ROW GW_SPLIT_GRADIENT("y wrt x")
#else
#define OF_ROW GW_SPLIT_GRADIENT("y wrt x with all")
#endif
#define PLACE                                                                                                 \
    const int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;                     \
    float v = expf(x[row * 32 + lane])
#define OUT y[row * 32 + lane] = v * v
#define FULL 0xffffffffu

OF_ROW __global__ void four_steps(float *y, float *all, const float *x) {
    PLACE;
    for (int o = 16; o > 1; o /= 2) v += __shfl_xor_sync(FULL, v, o);
    if (lane == 0) all[row] = v;
    OUT;
}
OF_ROW __global__ void half_warps(float *y, float *all, const float *x) {
    PLACE;
    for (int o = 8; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o, 16);
    if (lane == 0) all[row] = v;
    OUT;
}
OF_ROW __global__ void some_lanes(float *y, float *all, const float *x) {
    PLACE;
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffu, v, o);
    if (lane == 0) all[row] = v;
    OUT;
}
OF_ROW __global__ void differences(float *y, float *all, const float *x) {
    PLACE;
    for (int o = 16; o > 0; o /= 2) v -= __shfl_xor_sync(FULL, v, o);
    if (lane == 0) all[row] = v;
    OUT;
}
OF_ROW __global__ void own_cells(float *y, float *all, const float *x) {
    PLACE;
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
    if (lane == 0) all[row + lane] = v;
    OUT;
}
OF_ROW __global__ void of_its_block(float *y, float *all, const float *x) {
    PLACE;
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
    if (threadIdx.x == 0) all[blockIdx.x] = v;
    OUT;
}
OF_ROW __global__ void every_other_warp(float *y, float *all, const float *x) {
    PLACE;
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
    if (threadIdx.x % 64 == 0) all[row] = v;
    OUT;
}
OF_ROW __global__ void no_such_lane(float *y, float *all, const float *x) {
    PLACE;
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
    if (lane == 32) all[row] = v;
    OUT;
}
OF_ROW __global__ void nobody(float *y, float *all, const float *x) {
    PLACE;
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
    if (lane == 0 && threadIdx.x % 32 == 1) all[row] = v;
    OUT;
}
OF_ROW __global__ void all_but_one(float *y, float *all, const float *x) {
    PLACE;
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
    if (lane == 0) y[row] = 1;
    else all[row] = v;
    OUT;
}
OF_ROW __global__ void if_asked(float *y, float *all, const float *x, const int *asked) {
    PLACE;
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
    if (lane == 0 && asked[row]) all[row] = v;
    OUT;
}
OF_ROW __global__ void other_null(float *y, float *all, const float *x, const int *asked) {
    PLACE;
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
    if (lane == 0 && asked != nullptr) all[row] = v;
    OUT;
}
OF_ROW __global__ void some_threads(float *y, float *all, const float *x, int n) {
    PLACE;
    if (threadIdx.x >= 8 && threadIdx.x < n) {
        float w = v * x[row];
        w += __shfl_sync(FULL, w, 3);
        if (lane == 0) all[row] = w;
        y[row * 32 + lane] = w * w;
    }
}
OF_ROW __global__ void in_y(float *y, float *all, const float *x, int n) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    const float v = expf(x[threadIdx.y]);
    if (threadIdx.x == 0) all[blockIdx.x] = v;
    y[at * n + threadIdx.y] = v * v;
}
// says: with_lanes.cu:18:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'four_steps' has ended [kept-output]
// says: OF_ROW __global__ void four_steps(float *y, float *all, const float *x) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_lanes.cu:24:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'half_warps' has ended [kept-output]
// says: OF_ROW __global__ void half_warps(float *y, float *all, const float *x) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_lanes.cu:30:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'some_lanes' has ended [kept-output]
// says: OF_ROW __global__ void some_lanes(float *y, float *all, const float *x) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_lanes.cu:36:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'differences' has ended [kept-output]
// says: OF_ROW __global__ void differences(float *y, float *all, const float *x) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_lanes.cu:42:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'own_cells' has ended [kept-output]
// says: OF_ROW __global__ void own_cells(float *y, float *all, const float *x) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_lanes.cu:48:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'of_its_block' has ended [kept-output]
// says: OF_ROW __global__ void of_its_block(float *y, float *all, const float *x) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_lanes.cu:54:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'every_other_warp' has ended [kept-output]
// says: OF_ROW __global__ void every_other_warp(float *y, float *all, const float *x) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_lanes.cu:60:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'no_such_lane' has ended [kept-output]
// says: OF_ROW __global__ void no_such_lane(float *y, float *all, const float *x) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_lanes.cu:66:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'nobody' has ended [kept-output]
// says: OF_ROW __global__ void nobody(float *y, float *all, const float *x) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_lanes.cu:72:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'all_but_one' has ended [kept-output]
// says: OF_ROW __global__ void all_but_one(float *y, float *all, const float *x) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_lanes.cu:79:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'if_asked' has ended [kept-output]
// says: OF_ROW __global__ void if_asked(float *y, float *all, const float *x, const int *asked) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_lanes.cu:85:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'other_null' has ended [kept-output]
// says: OF_ROW __global__ void other_null(float *y, float *all, const float *x, const int *asked) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_lanes.cu:91:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'some_threads' has ended [kept-output]
// says: OF_ROW __global__ void some_threads(float *y, float *all, const float *x, int n) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_lanes.cu:100:1: error: 'all' cannot stand for the tape: the gradient needs no value that it is known to hold when 'in_y' has ended [kept-output]
// says: OF_ROW __global__ void in_y(float *y, float *all, const float *x, int n) {
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
