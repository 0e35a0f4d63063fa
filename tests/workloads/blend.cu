// Splats on a picture of several tiles: lists longer than a batch, pixels that become opaque, and pixels
// outside.
#include "../support/check.cuh"

typedef double real;
struct real2 {
    real x, y;
};
struct real3 {
    real x, y, z;
};
struct real4 { /* double4 is deprecated from CUDA 13 on */
    real x, y, z, w;
};
enum { tile = 4, batch = tile * tile };
#include "../../benchmarks/workloads/blend.cuh"
#include "blend.grad.cuh"

CHECK_CELLS(real2, CHECK_CELL(real2, x), CHECK_CELL(real2, y))
CHECK_CELLS(real4, CHECK_CELL(real4, x), CHECK_CELL(real4, y), CHECK_CELL(real4, z), CHECK_CELL(real4, w))

#include "../../benchmarks/workloads/blend_data.h"

static const blend_data sparse(11, 6, 40, 0.1, 0.7, 0), dense(11, 6, 40, 0.5, 1.3, 1);

#define CHECK_BLEND(name, data)                                                                                \
    CHECK_CASE(name, blend, blend, 1e-8, dim3(3, 2), dim3(tile, tile), out(3 * 66), out(66), given(data.none), \
               in_given(data.mean), in_given(data.conic), in(3 * 40, 0.1, 0.9), given(data.ids),               \
               given(data.ranges), data.background, 11, 6, data.rounds)
CHECK_BLEND(sparse, sparse)
CHECK_BLEND(dense, dense)
TEST_MAIN
