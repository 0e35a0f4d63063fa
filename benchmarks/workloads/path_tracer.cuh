/*
 * path_tracer.cuh - a path tracer: diffuse balls, a point light that is asked for at each hit, bounces by the
 * cosine, Russian roulette.
 *
 * `real` is the including file's; it includes the gradients as well. What is seen of a ball is differentiated,
 * where its outline lies is not.
 */
#include <gradwright/gradwright.h>

struct vec {
    real x, y, z;
};
struct ball {
    vec centre;
    real radius;
    vec albedo;
};
struct ray {
    vec from, along;
};

static __device__ inline vec operator+(vec a, vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
static __device__ inline vec operator-(vec a, vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
static __device__ inline vec operator*(vec a, vec b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
static __device__ inline vec operator*(vec a, real s) { return {a.x * s, a.y * s, a.z * s}; }
static __device__ inline real dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static __device__ inline vec cross(vec a, vec b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static __device__ inline vec unit(vec a) { return a * (1 / sqrt(dot(a, a))); }

static __device__ inline real random_number(unsigned int *state) {
    *state = *state * 1664525u + 1013904223u;
    return (real)(*state >> 8) / (real)16777216;
}

/* How far along the ray it comes to the ball; 0: it does not. */
static __device__ inline real meets(const ball &b, ray r) {
    vec to = b.centre - r.from;
    real middle = dot(to, r.along), under = middle * middle - dot(to, to) + b.radius * b.radius;
    if (under <= 0) return 0;
    real half = sqrt(under), near = middle - half, far = middle + half;
    return near > (real)1e-3 ? near : far > (real)1e-3 ? far : 0;
}

/* Some direction around n, by the cosine. */
static __device__ inline vec bounce(vec n, unsigned int *state) {
    real turn = (real)6.283185307179586 * random_number(state), share = random_number(state), out = sqrt(share);
    vec side = fabs(n.x) > (real)0.5 ? vec{0, 1, 0} : vec{1, 0, 0}, u = unit(cross(side, n)), v = cross(n, u);
    return u * (cos(turn) * out) + v * (sin(turn) * out) + n * sqrt(1 - share);
}

GW_GRADIENT("image wrt balls, light, power")
GW_DERIVATIVE("image wrt balls, light, power")
__global__ void trace_paths(vec *image, const ball *balls, int count, vec light, vec power, int width,
                            int height, int samples, int bounces, unsigned int seed) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    unsigned int state = seed + (y * width + x) * 747796405u;
    vec pixel = {0, 0, 0};
    for (int s = 0; s < samples; s++) {
        ray r = {{0, 0, -3},
                 unit(vec{(x + random_number(&state)) / width - (real)0.5,
                          (y + random_number(&state)) / height - (real)0.5, 1})};
        vec weight = {1, 1, 1};
        for (int depth = 0; depth < bounces; depth++) {
            int hit = -1;
            real nearest = 1e20;
            for (int k = 0; k < count; k++) {
                real t = meets(balls[k], r);
                if (t > 0 && t < nearest) {
                    nearest = t;
                    hit = k;
                }
            }
            if (hit < 0) break;
            vec at = r.from + r.along * nearest, n = unit(at - balls[hit].centre);
            if (dot(n, r.along) > 0) n = n * (real)-1;
            weight = weight * balls[hit].albedo;
            vec to = light - at;
            real square = dot(to, to), distance = sqrt(square), cosine = dot(n, to) / distance;
            bool is_lit = cosine > 0;
            for (int k = 0; is_lit && k < count; k++) {
                real t = meets(balls[k], ray{at, to * (1 / distance)});
                if (t > 0 && t < distance) is_lit = false;
            }
            if (is_lit) pixel = pixel + weight * power * (cosine / square);
            if (depth > 0) {
                if (random_number(&state) > (real)0.75) break;
                weight = weight * (1 / (real)0.75);
            }
            r = {at, bounce(n, &state)};
        }
    }
    image[y * width + x] = pixel * (1 / (real)samples);
}
