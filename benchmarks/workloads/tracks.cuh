/*
 * tracks.cuh - charged particles in a tracking detector: the state of each track is carried from plane to plane
 * through a magnetic field by Runge-Kutta steps, with the energy lost in each plane, and compared with the hits
 * on its way; and a Kalman filter of tracks over the ranges of a list of hits. All tracks share the field, the
 * planes and the noise.
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include <gradwright/gradwright.h>

struct track {
    real x, y, z, tx, ty, qop; /* place, slopes, charge over momentum */
};
struct vector3 {
    real x, y, z;
};
struct hit {
    real u, v;
};
struct field_box {
    int nx, ny, nz; /* nodes of the field */
    real x, y, z;   /* of the first one */
    real per_length;
};

/* The field between the eight nodes around a place; beyond the box, by the outermost cell. */
static __device__ inline vector3 field_at(const vector3 *field, const field_box &box, real x, real y, real z) {
    real fx = (x - box.x) * box.per_length, fy = (y - box.y) * box.per_length,
         fz = (z - box.z) * box.per_length;
    int i = min(max((int)floor(fx), 0), box.nx - 2);
    int j = min(max((int)floor(fy), 0), box.ny - 2);
    int k = min(max((int)floor(fz), 0), box.nz - 2);
    fx -= i;
    fy -= j;
    fz -= k;
    vector3 b = {0, 0, 0};
    for (int corner = 0; corner < 8; corner++) {
        int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
        real weight = (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy) * (dz ? fz : 1 - fz);
        const vector3 &node = field[((k + dz) * box.ny + j + dy) * box.nx + i + dx];
        b.x += weight * node.x;
        b.y += weight * node.y;
        b.z += weight * node.z;
    }
    return b;
}

/* Slopes of x, y, tx, ty along z; charge over momentum stays. */
static __device__ inline void motion(const real s[4], real qop, const vector3 &b, real slope[4]) {
    real tx = s[2], ty = s[3], bend = 0.299792458 * qop * sqrt(1 + tx * tx + ty * ty);
    slope[0] = tx;
    slope[1] = ty;
    slope[2] = bend * (ty * (tx * b.x + b.z) - (1 + tx * tx) * b.y);
    slope[3] = bend * ((1 + ty * ty) * b.x - tx * (ty * b.y + b.z));
}

GW_GRADIENT("end, chi2 wrt start, field, thickness, hits")
GW_DERIVATIVE("end, chi2 wrt start, field, thickness, hits")
__global__ void extrapolate(track *end, real *chi2, const track *start, const vector3 *field,
                            const real *plane_z, const real *thickness, const hit *hits, const int *hit_of,
                            field_box box, int planes, int steps, int tracks) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= tracks) return;
    real s[4] = {start[t].x, start[t].y, start[t].tx, start[t].ty}, qop = start[t].qop;
    real z = start[t].z, sum = 0;
    for (int p = 0; p < planes; p++) {
        real h = (plane_z[p] - z) / steps;
        for (int n = 0; n < steps; n++, z += h) {
            real k1[4], k2[4], k3[4], k4[4], m[4];
            motion(s, qop, field_at(field, box, s[0], s[1], z), k1);
            for (int i = 0; i < 4; i++) m[i] = s[i] + h / 2 * k1[i];
            motion(m, qop, field_at(field, box, m[0], m[1], z + h / 2), k2);
            for (int i = 0; i < 4; i++) m[i] = s[i] + h / 2 * k2[i];
            motion(m, qop, field_at(field, box, m[0], m[1], z + h / 2), k3);
            for (int i = 0; i < 4; i++) m[i] = s[i] + h * k3[i];
            motion(m, qop, field_at(field, box, m[0], m[1], z + h), k4);
            for (int i = 0; i < 4; i++) s[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
        }
        real path = thickness[p] * sqrt(1 + s[2] * s[2] + s[3] * s[3]), sign = qop < 0 ? -1 : 1;
        real momentum = sign / qop;
        momentum = fmax(momentum - path * ((real)0.15 + (real)0.02 * log(1 + momentum * momentum)), (real)0.05);
        qop = sign / momentum;
        int id = hit_of[t * planes + p];
        if (id < 0) continue; /* a hole in the track */
        real du = hits[id].u - s[0], dv = hits[id].v - s[1], angle = (real)0.0136 / momentum;
        real variance = (real)0.01 + path * angle * angle;
        sum += (du * du + dv * dv) / variance + log(variance);
    }
    end[t] = {s[0], s[1], z, s[2], s[3], qop};
    chi2[t] = sum;
}

template <int R, int C> struct matrix {
    real a[R][C];
    __device__ real &operator()(int i, int j) { return a[i][j]; }
    __device__ const real &operator()(int i, int j) const { return a[i][j]; }
};
template <int R, int K, int C>
static __device__ matrix<R, C> operator*(const matrix<R, K> &x, const matrix<K, C> &y) {
    matrix<R, C> product;
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++) {
            product(i, j) = 0;
            for (int k = 0; k < K; k++) product(i, j) += x(i, k) * y(k, j);
        }
    return product;
}
template <int R, int C> static __device__ matrix<R, C> operator-(const matrix<R, C> &x, const matrix<R, C> &y) {
    matrix<R, C> difference;
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++) difference(i, j) = x(i, j) - y(i, j);
    return difference;
}
template <int R, int C> static __device__ matrix<C, R> transposed(const matrix<R, C> &x) {
    matrix<C, R> t;
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++) t(j, i) = x(i, j);
    return t;
}

/* Straight tracks (place and slope in two directions) through the hits first[t] .. first[t + 1] - 1, of which
 * there are at most `most`. */
GW_GRADIENT("filtered, chi2 wrt start, hits, distance, noise")
GW_DERIVATIVE("filtered, chi2 wrt start, hits, distance, noise")
__global__ void kalman_filter(real *filtered, real *chi2, const real *start, const hit *hits,
                              const real *distance, const real *noise, const int *first, int most, int tracks) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= tracks) return;
    matrix<4, 1> x;
    matrix<4, 4> c;
    for (int i = 0; i < 4; i++) {
        x(i, 0) = start[t * 4 + i];
        for (int j = 0; j < 4; j++) c(i, j) = i == j ? 2 : 0;
    }
    const matrix<2, 4> h = {{{1, 0, 0, 0}, {0, 1, 0, 0}}};
    real sum = 0;
    for (int k = first[t]; k < first[t + 1] && k - first[t] < most; k++) {
        const real d = distance[k];
        const matrix<4, 4> f = {{{1, 0, d, 0}, {0, 1, 0, d}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
        x = f * x;
        c = f * c * transposed(f);
        c(2, 2) += noise[0];
        c(3, 3) += noise[0];
        const matrix<2, 1> measured = {{{hits[k].u}, {hits[k].v}}}, r = measured - h * x;
        matrix<2, 2> s = h * c * transposed(h);
        s(0, 0) += noise[1];
        s(1, 1) += noise[2];
        const real det = s(0, 0) * s(1, 1) - s(0, 1) * s(1, 0);
        const matrix<2, 2> inverse = {{{s(1, 1) / det, -s(0, 1) / det}, {-s(1, 0) / det, s(0, 0) / det}}};
        const matrix<4, 2> gain = c * transposed(h) * inverse;
        const matrix<4, 1> shift = gain * r;
        for (int i = 0; i < 4; i++) x(i, 0) += shift(i, 0);
        c = c - gain * (h * c);
        sum += (transposed(r) * inverse * r)(0, 0) + log(det);
    }
    for (int i = 0; i < 4; i++) filtered[t * 4 + i] = x(i, 0);
    chi2[t] = sum;
}
