// Kernels over the elements of a hexahedral mesh: corners through lists, a limiter over neighbours, forces by a
// thread an element and by eight lanes an element.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/elements.cuh"
#include "elements.grad.cuh"

CHECK_CELLS(node, CHECK_CELL(node, x), CHECK_CELL(node, y), CHECK_CELL(node, z))

// 2 x 2 x 3 elements.
enum { NX = 2, NY = 2, NZ = 3, COUNT = NX * NY * NZ, NODES = (NX + 1) * (NY + 1) * (NZ + 1) };

static int node_at(int x, int y, int z) { return (z * (NY + 1) + y) * (NX + 1) + x; }
static std::vector<double> corners() {
    static const int dx[] = {0, 1, 1, 0, 0, 1, 1, 0}, dy[] = {0, 0, 1, 1, 0, 0, 1, 1};
    std::vector<double> list(8 * COUNT);
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 8; k++)
            list[k * COUNT + i] = node_at(i % NX + dx[k], i / NX % NY + dy[k], i / (NX * NY) + k / 4);
    return list;
}
static std::vector<node> places() {
    uint64_t state = 5;
    auto next = [&] {
        return (double)((state = state * 6364136223846793005u + 1) >> 40) / (1 << 24) * 0.4 - 0.2;
    };
    std::vector<node> list(NODES);
    for (int z = 0; z <= NZ; z++)
        for (int y = 0; y <= NY; y++)
            for (int x = 0; x <= NX; x++)
                list[node_at(x, y, z)] = {x + next(), y + next(), z + next()};
    return list;
}
static std::vector<double> neighbours() {
    std::vector<double> list(6 * COUNT);
    for (int i = 0; i < COUNT; i++) {
        const int x = i % NX, y = i / NX % NY, z = i / (NX * NY);
        list[i] = x ? i - 1 : -1, list[COUNT + i] = x + 1 < NX ? i + 1 : -1;
        list[2 * COUNT + i] = y ? i - NX : -1, list[3 * COUNT + i] = y + 1 < NY ? i + NX : -1;
        list[4 * COUNT + i] = z ? i - NX * NY : -1, list[5 * COUNT + i] = z + 1 < NZ ? i + NX * NY : -1;
    }
    return list;
}
static std::vector<double> rings() {
    return {0x547321, 0x654032, 0x765103, 0x476210, 0x301567, 0x012674, 0x123745, 0x230456};
}

CHECK_KERNEL(kinematics, 1, 16, out(COUNT), out(COUNT), out(COUNT), out(COUNT), in_given(places()),
             in(NODES, -0.5, 0.5), list(corners()), fixed(COUNT), COUNT, 0.1)
CHECK_KERNEL(limiter, 2, 4, out(COUNT), out(COUNT), in(COUNT, -1.5, 1.0), fixed(COUNT, -1.0, 0.3),
             list(neighbours()), list({3, 0, 7, 11, 5, 2, 9}), 7, COUNT)
CHECK_KERNEL(corner_forces, 1, 16, out(8 * COUNT), in_given(places()), in(NODES, -0.5, 0.5), in(COUNT),
             in(COUNT), list(corners()), COUNT)
// The last warp has elements that are not there.
CHECK_KERNEL(forces_by_warps, 4, 32, out(8 * COUNT), in_given(places()), in(NODES, -0.5, 0.5), in(COUNT),
             in(COUNT), list(corners()), list(rings()), COUNT - 2)
TEST_MAIN
