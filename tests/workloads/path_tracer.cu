// Paths in a room with two balls; the seed is one of those with which no path comes close to an outline or a
// shadow's edge, where the differences would jump.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/path_tracer.cuh"
#include "path_tracer.grad.cuh"

CHECK_CELLS(vec, CHECK_CELL(vec, x), CHECK_CELL(vec, y), CHECK_CELL(vec, z))
CHECK_CELLS(ball, CHECK_CELL(ball, centre.x), CHECK_CELL(ball, centre.y), CHECK_CELL(ball, centre.z),
            CHECK_CELL(ball, radius), CHECK_CELL(ball, albedo.x), CHECK_CELL(ball, albedo.y),
            CHECK_CELL(ball, albedo.z))

static const std::vector<ball> room = {{{0, 0, 0}, 4, {0.7, 0.6, 0.5}},
                                       {{0.4, 0.3, 0.2}, 0.8, {0.4, 0.8, 0.3}},
                                       {{-0.7, -0.4, -0.5}, 0.5, {0.3, 0.5, 0.9}}};
static const vec light = {1.5, 2, -2}, power = {3, 2.5, 2};

CHECK_KERNEL(trace_paths, dim3(2, 1), dim3(2, 3), out(9), in_given(room), 3, active(light), active(power), 3, 3,
             2, 4, 10u)
TEST_MAIN
