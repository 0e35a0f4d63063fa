/* hand.c - the errors of a posed hand, and their generated forward derivative. */
#include "hand.h"

#include <math.h>

#include <gradwright/gradwright.h>

/* Rows of a 3x3 rotation about the axis `turn` by the angle of its length. */
static void rotation_about(const double *turn, double *rotation) {
    double angle = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    if (angle < 0.0001) {
        for (int i = 0; i < 9; i++)
            rotation[i] = i % 4 == 0 ? 1 : 0;
        return;
    }
    double x = turn[0] / angle, y = turn[1] / angle, z = turn[2] / angle;
    double sine = sin(angle), cosine = cos(angle), rest = 1 - cosine;
    rotation[0] = x * x + (1 - x * x) * cosine;
    rotation[1] = x * y * rest - z * sine;
    rotation[2] = x * z * rest + y * sine;
    rotation[3] = x * y * rest + z * sine;
    rotation[4] = y * y + (1 - y * y) * cosine;
    rotation[5] = y * z * rest - x * sine;
    rotation[6] = x * z * rest - y * sine;
    rotation[7] = y * z * rest + x * sine;
    rotation[8] = z * z + (1 - z * z) * cosine;
}

/* The transformation that turns about x, then y, then z. */
static void turn_by(const double *angles, double *matrix) {
    double sx = sin(angles[0]), cx = cos(angles[0]);
    double sy = sin(angles[2]), cy = cos(angles[2]);
    double sz = sin(angles[1]), cz = cos(angles[1]);
    matrix[0] = cy * cz;
    matrix[1] = sx * sy * cz - cx * sz;
    matrix[2] = cx * sy * cz + sx * sz;
    matrix[4] = cy * sz;
    matrix[5] = sx * sy * sz + cx * cz;
    matrix[6] = cx * sy * sz - sx * cz;
    matrix[8] = -sy;
    matrix[9] = sx * cy;
    matrix[10] = cx * cy;
    matrix[3] = matrix[7] = matrix[11] = 0;
}

static void compose(const double *a, const double *b, double *product) {
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            double sum = column == 3 ? a[4 * row + 3] : 0;
            for (int i = 0; i < 3; i++)
                sum += a[4 * row + i] * b[4 * i + column];
            product[4 * row + column] = sum;
        }
}

/* The angles of each bone: the wrist's two bones are stiff, a finger's first joint also moves sideways. */
static void pose(const double *theta, double angles[HAND_BONES][3]) {
    for (int bone = 0; bone < HAND_BONES; bone++)
        for (int i = 0; i < 3; i++)
            angles[bone][i] = 0;
    const double *next = theta + 6;
    for (int finger = 0; finger < 5; finger++)
        for (int joint = 0; joint < 3; joint++) {
            double *bent = angles[2 + 4 * finger + joint];
            bent[0] = *next++;
            if (joint == 0) bent[1] = *next++;
        }
}

/* Each bone's transformation takes the skin at rest to this place. */
static void place_bones(const int *parents, const double *relatives, const double *inverses,
                        const double *theta, double transforms[HAND_BONES][HAND_MATRIX]) {
    double angles[HAND_BONES][3], absolutes[HAND_BONES][HAND_MATRIX];
    pose(theta, angles);
    for (int bone = 0; bone < HAND_BONES; bone++) {
        double turn[HAND_MATRIX], relative[HAND_MATRIX];
        turn_by(angles[bone], turn);
        compose(relatives + bone * HAND_MATRIX, turn, relative);
        if (parents[bone] < 0)
            for (int i = 0; i < HAND_MATRIX; i++)
                absolutes[bone][i] = relative[i];
        else
            compose(absolutes[parents[bone]], relative, absolutes[bone]);
        compose(absolutes[bone], inverses + bone * HAND_MATRIX, transforms[bone]);
    }
}

static void skin(int vertices, const double *base, const double *weights,
                 double transforms[HAND_BONES][HAND_MATRIX], double *positions) {
    for (int i = 0; i < 3 * vertices; i++)
        positions[i] = 0;
    for (int bone = 0; bone < HAND_BONES; bone++) {
        const double *m = transforms[bone], *weight = weights + bone * vertices;
        for (int v = 0; v < vertices; v++) {
            const double *at = base + 3 * v;
            for (int row = 0; row < 3; row++)
                positions[3 * v + row] += weight[v] * (m[4 * row] * at[0] + m[4 * row + 1] * at[1] +
                                                       m[4 * row + 2] * at[2] + m[4 * row + 3]);
        }
    }
}

GW_DERIVATIVE("err wrt theta") GW_JACOBIAN("err[0:3 * count] wrt theta[0:26]")
void hand_objective(const int *UNSHARED parents, const double *UNSHARED relatives,
                    const double *UNSHARED inverses, int vertices, const double *UNSHARED base,
                    const double *UNSHARED weights, int count, const int *UNSHARED corresponding,
                    const double *UNSHARED points, const double *UNSHARED theta, double *UNSHARED err) {
    double transforms[HAND_BONES][HAND_MATRIX], rotation[9], positions[3 * vertices];
    place_bones(parents, relatives, inverses, theta, transforms);
    skin(vertices, base, weights, transforms, positions);
    rotation_about(theta, rotation);
    for (int i = 0; i < count; i++) {
        const double *at = positions + 3 * corresponding[i];
        for (int row = 0; row < 3; row++)
            err[3 * i + row] =
                points[3 * i + row] - (rotation[3 * row] * at[0] + rotation[3 * row + 1] * at[1] +
                                       rotation[3 * row + 2] * at[2] + theta[3 + row]);
    }
}

#ifndef ADBENCH_REFUSED
#include "hand.grad.h"

bool hand_generated(const int *parents, const double *relatives, const double *inverses, int vertices,
                    const double *base, const double *weights, int count, const int *corresponding,
                    const double *points, const double *theta, const double *t_theta, double *err,
                    double *t_err) {
    hand_objective_jvp(parents, relatives, inverses, vertices, base, weights, count, corresponding, points,
                       theta, err, t_theta, t_err);
    return true;
}

bool hand_jacobian(const int *parents, const double *relatives, const double *inverses, int vertices,
                   const double *base, const double *weights, int count, const int *corresponding,
                   const double *points, const double *theta, double *err, double *jacobian) {
    return hand_objective_jacobian(parents, relatives, inverses, vertices, base, weights, count, corresponding,
                                   points, theta, err, jacobian) == GW_OK;
}
#endif
