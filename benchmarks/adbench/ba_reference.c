/*
 * ba_reference.c - the rows of bundle adjustment's Jacobian by hand.
 *
 * The chain is offset -> rotated -> divided by depth -> distorted -> scaled. Its values are computed once; each
 * row then goes back through it. For the rotation, with angle t, axis v = r / t, X the offset:
 *     R = X cos t + (v x X) sin t + v (v.X) (1 - cos t).
 * For an adjoint a of R: X gets a cos t + (a x v) sin t + v (v.a)(1 - cos t); v gets (X x a) sin t +
 * (1 - cos t) (a (v.X) + X (v.a)); t gets a.(-X sin t + (v x X) cos t + v (v.X) sin t); and r gets
 * v (t's adjoint) + (v's adjoint - v (v . v's adjoint)) / t. Without rotation R = X + r x X.
 */
#include "ba.h"

#include <math.h>

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double *a, const double *b, double *product) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

typedef struct view {
    double angle, sine, cosine, axis[3], normal[3], along; /* of the rotation */
    double offset[3], rotated[3];
    double flat[2], square, factor; /* before the distortion, and the distortion */
} view;

static void rotate(const double *r, view *v) {
    v->angle = sqrt(dot(r, r));
    if (v->angle == 0) {
        cross(r, v->offset, v->normal);
        for (int i = 0; i < 3; i++)
            v->rotated[i] = v->offset[i] + v->normal[i];
        return;
    }
    v->sine = sin(v->angle);
    v->cosine = cos(v->angle);
    for (int i = 0; i < 3; i++)
        v->axis[i] = r[i] / v->angle;
    cross(v->axis, v->offset, v->normal);
    v->along = dot(v->axis, v->offset);
    for (int i = 0; i < 3; i++)
        v->rotated[i] =
            v->offset[i] * v->cosine + v->normal[i] * v->sine + v->axis[i] * v->along * (1 - v->cosine);
}

static void rotate_back(const double *r, const view *v, const double *a, double *d_r, double *d_offset) {
    double turned[3], twisted[3];
    if (v->angle == 0) {
        cross(a, r, turned);
        cross(v->offset, a, d_r);
        for (int i = 0; i < 3; i++)
            d_offset[i] = a[i] + turned[i];
        return;
    }
    cross(a, v->axis, turned);
    cross(v->offset, a, twisted);
    double along = dot(v->axis, a), rest = 1 - v->cosine, d_axis[3], d_angle = 0;
    for (int i = 0; i < 3; i++) {
        d_offset[i] = a[i] * v->cosine + turned[i] * v->sine + v->axis[i] * along * rest;
        d_axis[i] = twisted[i] * v->sine + rest * (a[i] * v->along + v->offset[i] * along);
        d_angle += a[i] * (v->normal[i] * v->cosine + (v->axis[i] * v->along - v->offset[i]) * v->sine);
    }
    double inward = dot(v->axis, d_axis);
    for (int i = 0; i < 3; i++)
        d_r[i] = v->axis[i] * d_angle + (d_axis[i] - v->axis[i] * inward) / v->angle;
}

void ba_reference(const double *camera, const double *point, const double *weight, const double *seen,
                  double *rows, double *weight_row) {
    view v = {.angle = 0};
    for (int i = 0; i < 3; i++)
        v.offset[i] = point[i] - camera[3 + i];
    rotate(camera, &v);
    double near = 1 / v.rotated[2], focal = camera[6] * *weight;
    for (int i = 0; i < 2; i++)
        v.flat[i] = v.rotated[i] * near;
    v.square = v.flat[0] * v.flat[0] + v.flat[1] * v.flat[1];
    v.factor = 1 + camera[9] * v.square + camera[10] * v.square * v.square;
    double slope = 2 * (camera[9] + 2 * camera[10] * v.square); /* of the factor, over each coordinate */
    for (int k = 0; k < 2; k++) {
        double *row = rows + k * BA_ROW, scaled = focal * v.flat[k], d_flat[2], d_rotated[3];
        for (int i = 0; i < 2; i++)
            d_flat[i] = scaled * slope * v.flat[i];
        d_flat[k] += focal * v.factor;
        for (int i = 0; i < 2; i++)
            d_rotated[i] = d_flat[i] * near;
        d_rotated[2] = -(d_flat[0] * v.flat[0] + d_flat[1] * v.flat[1]) * near;
        rotate_back(camera, &v, d_rotated, row, row + BA_CAMERA);
        for (int i = 0; i < 3; i++)
            row[3 + i] = -row[BA_CAMERA + i];
        row[6] = *weight * v.flat[k] * v.factor;
        row[7 + k] = *weight;
        row[8 - k] = 0;
        row[9] = scaled * v.square;
        row[10] = scaled * v.square * v.square;
        row[14] = camera[6] * v.flat[k] * v.factor + camera[7 + k] - seen[k];
    }
    *weight_row = -2 * *weight;
}
