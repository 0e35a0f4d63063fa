/*
 * elements.cuh - kernels over the elements of a hexahedral mesh, as Lagrangian hydrodynamics has them: the
 * change of volume and the strain of each element, a limiter over its neighbours, and the forces of pressure
 * and of the hourglass filter (Flanagan and Belytschko 1981) at its corners, by a thread an element and by
 * eight lanes an element, four elements a warp. Corners 0 to 3 go round the bottom, 4 to 7 above them.
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include <gradwright/gradwright.h>

struct node {
    real x, y, z;
};
static __device__ inline node operator+(node a, node b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
static __device__ inline node operator-(node a, node b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
static __device__ inline node operator*(real s, node a) { return {s * a.x, s * a.y, s * a.z}; }
static __device__ inline real dot(node a, node b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static __device__ inline node cross(node a, node b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* A quarter of the area vector, outward, of the face that goes round o, p, q, r. */
static __device__ inline node share_of_face(node o, node p, node q, node r) {
    return (real)0.0625 * cross((q + r) - (o + p), (p + q) - (o + r));
}
/* What the volume grows by where the corner o moves: shares of its three faces. Its neighbours along edges are
 * a, b, c, those across faces ab, bc, ca. */
static __device__ inline node share_of_corner(node o, node a, node ab, node b, node bc, node c, node ca) {
    return share_of_face(o, a, ab, b) + share_of_face(o, b, bc, c) + share_of_face(o, c, ca, a);
}
static __device__ inline void shares(node *s, const node *p) {
    s[0] = share_of_corner(p[0], p[1], p[2], p[3], p[7], p[4], p[5]);
    s[1] = share_of_corner(p[1], p[2], p[3], p[0], p[4], p[5], p[6]);
    s[2] = share_of_corner(p[2], p[3], p[0], p[1], p[5], p[6], p[7]);
    s[3] = share_of_corner(p[3], p[0], p[1], p[2], p[6], p[7], p[4]);
    s[4] = share_of_corner(p[4], p[7], p[6], p[5], p[1], p[0], p[3]);
    s[5] = share_of_corner(p[5], p[4], p[7], p[6], p[2], p[1], p[0]);
    s[6] = share_of_corner(p[6], p[5], p[4], p[7], p[3], p[2], p[1]);
    s[7] = share_of_corner(p[7], p[6], p[5], p[4], p[0], p[3], p[2]);
}
static __device__ inline real volume_of(const node *s, const node *p) {
    real sum = 0;
    for (int k = 0; k < 8; k++)
        sum += dot(s[k], p[k]);
    return sum / 3;
}
static __device__ inline real face_square(node o, node p, node q, node r) {
    node n = cross((q + r) - (o + p), (p + q) - (o + r));
    return dot(n, n) / 16;
}

/* Volume, its change, a length, and the strain along the axes at half the step. */
GW_GRADIENT("volume, change, length, strain wrt place, speed")
GW_DERIVATIVE("volume, change, length, strain wrt place, speed")
__global__ void kinematics(real *volume, real *change, real *length, node *strain, const node *place,
                           const node *speed, const int *corner, const real *before, int count, real step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    node p[8], v[8], s[8];
    for (int k = 0; k < 8; k++) {
        int at = corner[k * count + i];
        p[k] = place[at];
        v[k] = speed[at];
    }
    shares(s, p);
    real whole = volume_of(s, p);
    volume[i] = whole;
    change[i] = whole - before[i];
    real widest = face_square(p[0], p[1], p[2], p[3]);
    widest = fmax(widest, face_square(p[4], p[7], p[6], p[5]));
    widest = fmax(widest, face_square(p[0], p[4], p[5], p[1]));
    widest = fmax(widest, face_square(p[1], p[5], p[6], p[2]));
    widest = fmax(widest, face_square(p[2], p[6], p[7], p[3]));
    widest = fmax(widest, face_square(p[3], p[7], p[4], p[0]));
    length[i] = whole / sqrt(widest);
    for (int k = 0; k < 8; k++)
        p[k] = p[k] - ((real)0.5 * step) * v[k];
    shares(s, p);
    real half = volume_of(s, p);
    node sum = {0, 0, 0};
    for (int k = 0; k < 8; k++) {
        sum.x += v[k].x * s[k].x;
        sum.y += v[k].y * s[k].y;
        sum.z += v[k].z * s[k].z;
    }
    strain[i] = (1 / half) * sum;
}

/* The slope of a gradient and its neighbours': 0 where they differ in sign, else at most twice the lesser. */
static __device__ inline real limited(real here, real below, real above) {
    real scale = 1 / (here + (real)1e-36);
    below *= scale, above *= scale;
    real phi = (real)0.5 * (below + above);
    below *= 2, above *= 2;
    if (below < phi) phi = below;
    if (above < phi) phi = above;
    if (phi < 0) phi = 0;
    if (phi > 1) phi = 1;
    return phi;
}

/* Artificial viscosity, linear and quadratic, of the elements of a region; a neighbour that is not there (-1)
 * has the element's own gradient. */
GW_GRADIENT("linear, quadratic wrt slope")
GW_DERIVATIVE("linear, quadratic wrt slope")
__global__ void limiter(real *linear, real *quadratic, const node *slope, const real *change, const int *near,
                        const int *list, int count, int elements) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int e = list[i];
    node here = slope[e], below = here, above = here;
    if (near[e] >= 0) below.x = slope[near[e]].x;
    if (near[elements + e] >= 0) above.x = slope[near[elements + e]].x;
    if (near[2 * elements + e] >= 0) below.y = slope[near[2 * elements + e]].y;
    if (near[3 * elements + e] >= 0) above.y = slope[near[3 * elements + e]].y;
    if (near[4 * elements + e] >= 0) below.z = slope[near[4 * elements + e]].z;
    if (near[5 * elements + e] >= 0) above.z = slope[near[5 * elements + e]].z;
    node phi = {limited(here.x, below.x, above.x), limited(here.y, below.y, above.y),
                limited(here.z, below.z, above.z)};
    if (change[e] > 0) {
        linear[e] = 0;
        quadratic[e] = 0;
        return;
    }
    node pull = {here.x < 0 ? here.x : 0, here.y < 0 ? here.y : 0, here.z < 0 ? here.z : 0};
    linear[e] = -(real)0.5 * (pull.x * (1 - phi.x) + pull.y * (1 - phi.y) + pull.z * (1 - phi.z));
    quadratic[e] =
        (real)0.667 * (pull.x * pull.x * (1 - phi.x * phi.x) + pull.y * pull.y * (1 - phi.y * phi.y) +
                       pull.z * pull.z * (1 - phi.z * phi.z));
}

/* +1 or -1: how corner k moves in hourglass mode m, a bit each. */
static __device__ inline real mode_of(int m, int k) {
    const unsigned int negative = 0xa5aa963cu; /* products yz, zx, xy, xyz of the corners' coordinates */
    return negative >> (8 * m + k) & 1 ? (real)-1 : (real)1;
}

/* Forces at the corners: pressure along the shares of the volume, and a damping of the modes that change no
 * strain. */
GW_GRADIENT("force wrt place, speed, pressure, damping")
GW_DERIVATIVE("force wrt place, speed, pressure, damping")
__global__ void __launch_bounds__(64, 4)
    corner_forces(node *force, const node *place, const node *speed, const real *pressure, const real *damping,
                  const int *corner, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    node p[8], v[8], s[8], f[8];
    for (int k = 0; k < 8; k++) {
        int at = corner[k * count + i];
        p[k] = place[at];
        v[k] = speed[at];
    }
    shares(s, p);
    real whole = volume_of(s, p), per_volume = 1 / whole, strength = damping[i] * cbrt(whole);
    for (int k = 0; k < 8; k++)
        f[k] = pressure[i] * s[k];
    for (int m = 0; m < 4; m++) {
        node moved = {0, 0, 0}, rate = {0, 0, 0};
        real gamma[8];
        for (int k = 0; k < 8; k++)
            moved = moved + mode_of(m, k) * p[k];
        for (int k = 0; k < 8; k++) {
            gamma[k] = mode_of(m, k) - per_volume * dot(s[k], moved);
            rate = rate + gamma[k] * v[k];
        }
        for (int k = 0; k < 8; k++)
            f[k] = f[k] - (strength * gamma[k]) * rate;
    }
    for (int k = 0; k < 8; k++)
        force[8 * i + k] = f[k];
}

static __device__ inline node of_lane(node v, int lane) {
    return {__shfl_sync(0xffffffffu, v.x, lane, 8), __shfl_sync(0xffffffffu, v.y, lane, 8),
            __shfl_sync(0xffffffffu, v.z, lane, 8)};
}
static __device__ inline real sum_of_eight(real v) {
    for (int d = 4; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, d, 8);
    return v;
}
static __device__ inline node sum_of_eight(node v) {
    return {sum_of_eight(v.x), sum_of_eight(v.y), sum_of_eight(v.z)};
}

/* The same by a lane a corner. `ring`: of each corner, in four bits each, a, ab, b, bc, c, ca. */
GW_GRADIENT("force wrt place, speed, pressure, damping")
GW_DERIVATIVE("force wrt place, speed, pressure, damping")
__global__ void forces_by_warps(node *force, const node *place, const node *speed, const real *pressure,
                                const real *damping, const int *corner, const int *ring, int count) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, i = t / 8, k = t % 8;
    bool live = i < count;
    int e = live ? i : count - 1, at = corner[k * count + e], around = ring[k];
    node p = place[at], v = speed[at];
    node a = of_lane(p, around & 7), ab = of_lane(p, around >> 4 & 7), b = of_lane(p, around >> 8 & 7);
    node bc = of_lane(p, around >> 12 & 7), c = of_lane(p, around >> 16 & 7), ca = of_lane(p, around >> 20 & 7);
    node s = share_of_corner(p, a, ab, b, bc, c, ca);
    real whole = sum_of_eight(dot(s, p)) / 3, per_volume = 1 / whole, strength = damping[e] * cbrt(whole);
    node f = pressure[e] * s;
    for (int m = 0; m < 4; m++) {
        real sign = mode_of(m, k);
        node moved = sum_of_eight(sign * p);
        real gamma = sign - per_volume * dot(s, moved);
        node rate = sum_of_eight(gamma * v);
        f = f - (strength * gamma) * rate;
    }
    if (live) force[8 * i + k] = f;
}
