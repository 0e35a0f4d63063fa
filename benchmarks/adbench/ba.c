/* ba.c - the two errors of an observation in bundle adjustment, and their generated gradients. */
#include "ba.h"

#include <math.h>
#include <string.h>

#include <gradwright/gradwright.h>

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double *a, const double *b, double *product) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/* Turns a point about the axis `rotation` by the angle of its length. */
static void rotate(const double *rotation, const double *point, double *rotated) {
    double square = dot(rotation, rotation);
    if (square != 0) {
        double angle = sqrt(square), cosine = cos(angle), sine = sin(angle);
        double axis[3], normal[3];
        for (int i = 0; i < 3; i++)
            axis[i] = rotation[i] / angle;
        cross(axis, point, normal);
        double along = dot(axis, point) * (1 - cosine);
        for (int i = 0; i < 3; i++)
            rotated[i] = point[i] * cosine + normal[i] * sine + axis[i] * along;
    } else {
        cross(rotation, point, rotated);
        for (int i = 0; i < 3; i++)
            rotated[i] += point[i];
    }
}

static void distort(const double *radial, double *picture) {
    double square = picture[0] * picture[0] + picture[1] * picture[1];
    double factor = 1 + radial[0] * square + radial[1] * square * square;
    picture[0] *= factor;
    picture[1] *= factor;
}

static void project(const double *camera, const double *point, double *picture) {
    const double *rotation = camera, *centre = camera + 3, *focal = camera + 6, *principal = camera + 7;
    double offset[3], seen[3];
    for (int i = 0; i < 3; i++)
        offset[i] = point[i] - centre[i];
    rotate(rotation, offset, seen);
    picture[0] = seen[0] / seen[2];
    picture[1] = seen[1] / seen[2];
    distort(camera + 9, picture);
    for (int i = 0; i < 2; i++)
        picture[i] = picture[i] * *focal + principal[i];
}

GW_GRADIENT("err wrt camera, point, weight")
void ba_reprojection(const double *UNSHARED camera, const double *UNSHARED point, const double *UNSHARED weight,
                     const double *UNSHARED seen, double *UNSHARED err) {
    double picture[2];
    project(camera, point, picture);
    err[0] = *weight * (picture[0] - seen[0]);
    err[1] = *weight * (picture[1] - seen[1]);
}

GW_GRADIENT("err wrt weight")
void ba_weight_error(const double *UNSHARED weight, double *UNSHARED err) { *err = 1 - *weight * *weight; }

/* All observations: two errors of what is seen of each, and one of its weight. */
GW_JACOBIAN("sparse err[0:3 * seen] wrt parameters[0:11 * cameras + 3 * points + seen]")
void ba_objective(int cameras, int points, int seen, const double *UNSHARED parameters,
                  const double *UNSHARED features, const int *UNSHARED which, double *UNSHARED err) {
    const double *weights = parameters + BA_CAMERA * cameras + BA_POINT * points;
    for (int i = 0; i < seen; i++) {
        const double *camera = parameters + BA_CAMERA * which[2 * i],
                     *point = parameters + BA_CAMERA * cameras + BA_POINT * which[2 * i + 1];
        ba_reprojection(camera, point, weights + i, features + 2 * i, err + 3 * i);
        ba_weight_error(weights + i, err + 3 * i + 2);
    }
}

#ifndef ADBENCH_REFUSED
#include "ba.grad.h"

bool ba_generated(const double *camera, const double *point, const double *weight, const double *seen,
                  double *rows, double *weight_row) {
    double err[2], d_err = 1;
    memset(rows, 0, 2 * BA_ROW * sizeof *rows);
    for (int k = 0; k < 2; k++) {
        double seed[2] = {k == 0, k == 1}, *row = rows + k * BA_ROW;
        ba_reprojection_grad(camera, point, weight, seen, err, row, row + BA_CAMERA, row + BA_ROW - 1, seed);
    }
    *weight_row = 0;
    ba_weight_error_grad(weight, err, weight_row, &d_err);
    return true;
}

gw_status ba_jacobian(int cameras, int points, int seen, const double *parameters, const double *features,
                      const int *which, double *err, gw_sparse *j) {
    return ba_objective_jacobian(cameras, points, seen, parameters, features, which, err, j);
}
#endif
