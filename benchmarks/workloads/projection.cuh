/*
 * projection.cuh - what a rasteriser of Gaussian splats does before it blends: a splat's covariance of scale
 * and rotation, its ellipse on the screen, and its colour of spherical harmonics of degree 0 to 3 as seen from
 * the camera. Splats behind the near plane leave early, and are not written. A covariance that the caller gives
 * is taken instead; one that is made here is stored, and read from where it is.
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include <gradwright/gradwright.h>

struct vector3 {
    real x, y, z;
};
struct quaternion {
    real w, x, y, z;
};
struct point2 {
    real x, y;
};
struct ellipse {
    real xx, xy, yy, opacity; /* the inverse of the covariance on the screen */
};
/* Looks along z; rotation by rows. */
struct view {
    real turn[9];
    vector3 shift, eye;
    real focal_x, focal_y, limit_x, limit_y;
    int width, height;
};

enum { HARMONICS = 16 };

static __device__ inline vector3 to_camera(const view &v, vector3 p) {
    return {v.turn[0] * p.x + v.turn[1] * p.y + v.turn[2] * p.z + v.shift.x,
            v.turn[3] * p.x + v.turn[4] * p.y + v.turn[5] * p.z + v.shift.y,
            v.turn[6] * p.x + v.turn[7] * p.y + v.turn[8] * p.z + v.shift.z};
}

/* M M' where M is the rotation times the scales; the upper half. */
static __device__ inline void make_covariance(vector3 s, quaternion q, real *c) {
    const real w = q.w, x = q.x, y = q.y, z = q.z;
    real m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                    {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                    {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++) m[i][0] *= s.x, m[i][1] *= s.y, m[i][2] *= s.z;
    c[0] = m[0][0] * m[0][0] + m[0][1] * m[0][1] + m[0][2] * m[0][2];
    c[1] = m[0][0] * m[1][0] + m[0][1] * m[1][1] + m[0][2] * m[1][2];
    c[2] = m[0][0] * m[2][0] + m[0][1] * m[2][1] + m[0][2] * m[2][2];
    c[3] = m[1][0] * m[1][0] + m[1][1] * m[1][1] + m[1][2] * m[1][2];
    c[4] = m[1][0] * m[2][0] + m[1][1] * m[2][1] + m[1][2] * m[2][2];
    c[5] = m[2][0] * m[2][0] + m[2][1] * m[2][1] + m[2][2] * m[2][2];
}

/* J W C W' J', J the slope of the projection where the splat is, W the view's rotation. */
static __device__ inline vector3 on_screen(const view &v, vector3 t, const real *c) {
    real u = fmin(v.limit_x, fmax(-v.limit_x, t.x / t.z)), w = fmin(v.limit_y, fmax(-v.limit_y, t.y / t.z));
    real j[2][3] = {{v.focal_x / t.z, 0, -v.focal_x * u / t.z}, {0, v.focal_y / t.z, -v.focal_y * w / t.z}};
    real k[2][3];
    for (int i = 0; i < 2; i++)
        for (int n = 0; n < 3; n++)
            k[i][n] = j[i][0] * v.turn[n] + j[i][1] * v.turn[3 + n] + j[i][2] * v.turn[6 + n];
    real l[2][3];
    for (int i = 0; i < 2; i++) {
        l[i][0] = k[i][0] * c[0] + k[i][1] * c[1] + k[i][2] * c[2];
        l[i][1] = k[i][0] * c[1] + k[i][1] * c[3] + k[i][2] * c[4];
        l[i][2] = k[i][0] * c[2] + k[i][1] * c[4] + k[i][2] * c[5];
    }
    return {l[0][0] * k[0][0] + l[0][1] * k[0][1] + l[0][2] * k[0][2] + (real)0.3,
            l[0][0] * k[1][0] + l[0][1] * k[1][1] + l[0][2] * k[1][2],
            l[1][0] * k[1][0] + l[1][1] * k[1][1] + l[1][2] * k[1][2] + (real)0.3};
}

static __device__ inline void add_to(vector3 &sum, real h, vector3 of) {
    sum.x += h * of.x, sum.y += h * of.y, sum.z += h * of.z;
}

/* The sum of real spherical harmonics of the direction, by degrees; `cut`: which channels would be negative. */
static __device__ inline vector3 color_of(vector3 p, vector3 eye, int degree, const vector3 *of, bool *cut) {
    vector3 sum = {(real)0.5, (real)0.5, (real)0.5}, d = {p.x - eye.x, p.y - eye.y, p.z - eye.z};
    real length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    real x = d.x / length, y = d.y / length, z = d.z / length, xx = x * x, yy = y * y, zz = z * z;
    add_to(sum, (real)0.28209479177387814, of[0]);
    if (degree > 0) {
        add_to(sum, (real)-0.4886025119029199 * y, of[1]);
        add_to(sum, (real)0.4886025119029199 * z, of[2]);
        add_to(sum, (real)-0.4886025119029199 * x, of[3]);
        if (degree > 1) {
            add_to(sum, (real)1.0925484305920792 * x * y, of[4]);
            add_to(sum, (real)-1.0925484305920792 * y * z, of[5]);
            add_to(sum, (real)0.31539156525252005 * (2 * zz - xx - yy), of[6]);
            add_to(sum, (real)-1.0925484305920792 * x * z, of[7]);
            add_to(sum, (real)0.5462742152960396 * (xx - yy), of[8]);
            if (degree > 2) {
                add_to(sum, (real)-0.5900435899266435 * y * (3 * xx - yy), of[9]);
                add_to(sum, (real)2.890611442640554 * x * y * z, of[10]);
                add_to(sum, (real)-0.4570457994644658 * y * (4 * zz - xx - yy), of[11]);
                add_to(sum, (real)0.3731763325901154 * z * (2 * zz - 3 * xx - 3 * yy), of[12]);
                add_to(sum, (real)-0.4570457994644658 * x * (4 * zz - xx - yy), of[13]);
                add_to(sum, (real)1.445305721320277 * z * (xx - yy), of[14]);
                add_to(sum, (real)-0.5900435899266435 * x * (xx - 3 * yy), of[15]);
            }
        }
    }
    cut[0] = sum.x < 0, cut[1] = sum.y < 0, cut[2] = sum.z < 0;
    return {fmax(sum.x, (real)0), fmax(sum.y, (real)0), fmax(sum.z, (real)0)};
}

GW_GRADIENT("center, depth, covariance, color, shape wrt place, spread, turned, opacity, harmonics")
GW_DERIVATIVE("center, depth, covariance, color, shape wrt place, spread, turned, opacity, harmonics")
__global__ void project(point2 *center, real *depth, real *covariance, vector3 *color, ellipse *shape,
                        int *reach, bool *cut, const vector3 *place, const vector3 *spread,
                        const quaternion *turned, const real *opacity, const vector3 *harmonics,
                        const real *given, int degree, view v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    reach[i] = 0;
    vector3 p = place[i], t = to_camera(v, p);
    if (t.z <= (real)0.2) return;
    const real *c;
    if (given) c = given + 6 * i;
    else {
        make_covariance(spread[i], turned[i], covariance + 6 * i);
        c = covariance + 6 * i;
    }
    vector3 s = on_screen(v, t, c);
    real det = s.x * s.z - s.y * s.y;
    if (det == 0) return;
    real middle = (real)0.5 * (s.x + s.z), most = middle + sqrt(fmax((real)0.1, middle * middle - det));
    reach[i] = (int)ceil(3 * sqrt(most));
    color[i] = color_of(p, v.eye, degree, harmonics + HARMONICS * i, cut + 3 * i);
    depth[i] = t.z;
    center[i] = {v.focal_x * t.x / t.z + (real)0.5 * v.width, v.focal_y * t.y / t.z + (real)0.5 * v.height};
    shape[i] = {s.z / det, -s.y / det, s.x / det, opacity[i]};
}
