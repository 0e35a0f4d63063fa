// Derivatives along x and y of a screen: against differences over pixels, and against two runs of f_jvp.
#include "../support/expect.cuh"

#include <cmath>

struct lens {
    double2 middle;
    double power;
};

__host__ __device__ inline double2 bent(double2 p, double by) {
    return {p.x * (1 + by * p.y), p.y * exp(by * p.x)};
}

// a loop, an exit, local arrays, structs by value, an output behind a pointer
GW_SCREEN_DERIVATIVES("uv wrt p, l.power")
GW_DERIVATIVE("uv wrt p, l.power")
__host__ __device__ inline bool hit(double2 *uv, double2 p, lens l, int steps) {
    double at[2] = {p.x - l.middle.x, p.y - l.middle.y};
    for (int i = 0; i < steps; i++) {
        if (at[1] > 3) return false;
        double2 next = bent({at[0], at[1]}, l.power);
        at[i & 1] = next.x * next.y;
    }
    *uv = {at[0] / at[1], at[1]};
    return true;
}

// a returned struct; a table that is read where the coordinates say
GW_SCREEN_DERIVATIVES("wrt u, v, table")
__host__ __device__ inline double3 shade(double u, double v, const double *table) {
    const int cell = (int)floor(u);
    const double part = u - cell;
    return {table[cell] * (1 - part) + table[cell + 1] * part, sin(u * v), v};
}

// a template, and an output that is read before
template <class T>
GW_SCREEN_DERIVATIVES("named = y wrt y, x")
__host__ __device__ inline void blended(T *y, T x) {
    *y = *y * x + x;
}

#include "screen.grad.cuh"

using check::array;

// of pixel (x, y)
__host__ __device__ inline double2 place(double x, double y) {
    return {0.7 + 0.3 * x + 0.2 * y * y, 1.1 - 0.1 * x * y};
}
__host__ __device__ inline lens lens_at(double x, double y) { return {{0.1, 0.2}, 0.3 + 0.01 * x + 0.02 * y}; }

struct along {
    bool hit;
    double2 uv, dx, dy, jvp_dx, jvp_dy;
};

__global__ void hits(along *out, int steps) {
    const double x = threadIdx.x * 0.1, y = blockIdx.x * 0.1;
    const double2 p = place(x, y), p_dx = {0.3, -0.1 * y}, p_dy = {0.4 * y, -0.1 * x};
    const lens l = lens_at(x, y), l_dx = {{0, 0}, 0.01}, l_dy = {{0, 0}, 0.02};
    along a = {};
    a.hit = hit_screen(&a.uv, p, l, steps, &a.dx, &a.dy, p_dx, p_dy, l_dx, l_dy);
    hit_jvp(&a.uv, p, l, steps, &a.jvp_dx, p_dx, l_dx);
    hit_jvp(&a.uv, p, l, steps, &a.jvp_dy, p_dy, l_dy);
    out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}

static double2 difference(double x, double y, double dx, double dy, int steps) {
    double2 ahead = {0, 0}, behind = {0, 0};
    hit(&ahead, place(x + dx, y + dy), lens_at(x + dx, y + dy), steps);
    hit(&behind, place(x - dx, y - dy), lens_at(x - dx, y - dy), steps);
    const double step = 2 * (dx + dy);
    return {(ahead.x - behind.x) / step, (ahead.y - behind.y) / step};
}

static bool near(double2 a, double2 b, double tolerance) {
    return std::fabs(a.x - b.x) <= tolerance * (1 + std::fabs(b.x)) &&
           std::fabs(a.y - b.y) <= tolerance * (1 + std::fabs(b.y));
}

TEST(they_are_the_differences_over_pixels_and_those_of_two_runs) {
    enum { side = 4, steps = 3 };
    array<along> out(std::vector<along>(side * side));
    hits<<<side, side>>>(out, steps);
    cudaDeviceSynchronize();
    const std::vector<along> found = out.get();
    int hit = 0;
    for (int i = 0; i < side * side; i++) {
        const along a = found[(size_t)i];
        const double x = i % side * 0.1, y = i / side * 0.1;
        if (!a.hit) continue;
        hit++;
        EXPECT(near(a.dx, a.jvp_dx, 1e-13) && near(a.dy, a.jvp_dy, 1e-13));
        EXPECT(near(a.dx, difference(x, y, 1e-5, 0, steps), 1e-8));
        EXPECT(near(a.dy, difference(x, y, 0, 1e-5, steps), 1e-8));
    }
    EXPECT(hit == side * side);
}

TEST(where_the_function_leaves_before_it_writes_nothing_is_written) {
    double2 uv = {7, 7}, dx = {8, 8}, dy = {9, 9};
    EXPECT(!hit_screen(&uv, double2{1, 9}, lens_at(0, 0), 3, &dx, &dy, double2{1, 0}, double2{0, 1}, lens{},
                       lens{}));
    EXPECT(uv.x == 7 && dx.y == 8 && dy.x == 9);
}

TEST(a_returned_struct_and_memory_that_is_read_have_two_of_each) {
    const double table[3] = {1, 3, 7}, table_dx[3] = {0, 1, 0}, table_dy[3] = {0, 0, 2};
    double3 dx, dy;
    const double3 c = shade_screen(1.25, 2.0, table, 0.5, 0.0, 0.0, 4.0, table_dx, table_dy, &dx, &dy);
    EXPECT(c.x == 4 && c.y == std::sin(2.5) && c.z == 2);
    EXPECT(dx.x == 0.5 * 4 + 0.75 && dx.y == 0.5 * 2.0 * std::cos(2.5) && dx.z == 0);
    EXPECT(dy.x == 2 * 0.25 && dy.y == 4.0 * 1.25 * std::cos(2.5) && dy.z == 4);
}

TEST(what_goes_in_and_comes_out_has_one_of_each_and_a_template_its_instances) {
    double y = 1, y_dx = 1, y_dy = 0;
    blended(&y, 1.5);
    EXPECT(y == 3);
    named(&y, 2.0, &y_dx, &y_dy, 0.0, 5.0);
    EXPECT(y == 8 && y_dx == 2 && y_dy == 5 * 3 + 5);
}

TEST_MAIN
