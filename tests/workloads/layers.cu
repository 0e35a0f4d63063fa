// Discs on a picture of several tiles, three pixels a thread: lists longer than a batch, pixels that become
// opaque, and pixels outside.
#include "../support/check.cuh"

typedef double real;
enum { tile = 6, pixels = 3, rows = tile / pixels, batch = tile * rows };
#include "../../benchmarks/workloads/layers.cuh"
#include "layers.grad.cuh"

CHECK_CELLS(disc, CHECK_CELL(disc, x), CHECK_CELL(disc, y), CHECK_CELL(disc, sharpness),
            CHECK_CELL(disc, opacity))

#include "../../benchmarks/workloads/layers_data.h"

static const layers_data sparse(11, 8, 26, 7, 0.1, 0.6, 0), dense(11, 8, 30, 9, 0.6, 0.95, 7);

#define CHECK_LAYERS(name)                                                                                   \
    CHECK_CASE(name, layers, layers, 1e-8, dim3(2, 2), dim3(tile, rows), out(3 * 88), out(88),               \
               in_given(name.discs), in(3 * 30, 0.1, 0.9), given(name.ids), given(name.from), 11, 8)
CHECK_LAYERS(sparse)
CHECK_LAYERS(dense)
TEST(takes_no_workspace) {
    EXPECT(layers_workspace_bytes(dim3(2, 2), dim3(tile, rows), nullptr, nullptr, nullptr, nullptr, nullptr,
                                  nullptr, 11, 8) == 0);
}
TEST_MAIN
