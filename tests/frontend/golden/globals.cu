// File-scope variables are objects; constants are their values.
#include <gradwright/gradwright.h>

enum { COUNT = 3 };
namespace physics {
constexpr float g = 9.81f;
__constant__ float table[COUNT][2];
__device__ float energy;
} // namespace physics

GW_GRADIENT("y wrt x")
__global__ void globals(float *y, const float *x) {
    static constexpr float scale = 0.5f;
    float s = 0;
    for (int i = 0; i < COUNT; i++) s += physics::table[i][1] * x[i];
    physics::energy = s;
    y[0] = s * physics::g * scale;
}
