/*
 * hand_reference.c - the forward derivative of the hand by hand.
 *
 * Every value goes with its tangent. A bone's matrix T moves by T'; then the vertices move by the sum of
 * weight T' base, and the whole by R' v + R v' + place'. Rotations: the columns of turn_by are differentiated
 * angle by angle; for R about an axis, R' follows from x', y', z' and the angle's tangent.
 */
#include "hand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct moving {
    double at[HAND_MATRIX], to[HAND_MATRIX]; /* a transformation and its tangent */
} moving;

static void rotation_about(const double *turn, const double *t_turn, double *rotation, double *t_rotation) {
    double angle = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    memset(t_rotation, 0, 9 * sizeof *t_rotation);
    if (angle < 0.0001) {
        for (int i = 0; i < 9; i++)
            rotation[i] = i % 4 == 0 ? 1 : 0;
        return;
    }
    double t_angle = (turn[0] * t_turn[0] + turn[1] * t_turn[1] + turn[2] * t_turn[2]) / angle;
    double sine = sin(angle), cosine = cos(angle), axis[3], t_axis[3];
    for (int i = 0; i < 3; i++) {
        axis[i] = turn[i] / angle;
        t_axis[i] = (t_turn[i] - axis[i] * t_angle) / angle;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            rotation[3 * i + j] = axis[i] * axis[j] * (1 - cosine) + (i == j ? cosine : 0);
            t_rotation[3 * i + j] = (t_axis[i] * axis[j] + axis[i] * t_axis[j]) * (1 - cosine) +
                                    axis[i] * axis[j] * sine * t_angle - (i == j ? sine * t_angle : 0);
        }
    for (int i = 0; i < 3; i++) { /* the antisymmetric part: sin(angle) times the axis as a cross product */
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double s = sine * axis[i], t = cosine * t_angle * axis[i] + sine * t_axis[i];
        rotation[3 * k + j] += s;
        rotation[3 * j + k] -= s;
        t_rotation[3 * k + j] += t;
        t_rotation[3 * j + k] -= t;
    }
}

static void turn_by(const double *angles, const double *t, moving *m) {
    double sx = sin(angles[0]), cx = cos(angles[0]);
    double sy = sin(angles[2]), cy = cos(angles[2]);
    double sz = sin(angles[1]), cz = cos(angles[1]);
    double at[HAND_MATRIX] = {cy * cz,
                              sx * sy * cz - cx * sz,
                              cx * sy * cz + sx * sz,
                              0,
                              cy * sz,
                              sx * sy * sz + cx * cz,
                              cx * sy * sz - sx * cz,
                              0,
                              -sy,
                              sx * cy,
                              cx * cy,
                              0};
    memcpy(m->at, at, sizeof at);
    for (int row = 0; row < 3; row++) {
        double y = row == 0 ? -sy * cz : row == 1 ? -sy * sz : -cy;
        double xy = row == 0 ? cy * cz : row == 1 ? cy * sz : -sy;
        m->to[4 * row] = t[2] * y;
        m->to[4 * row + 1] = t[0] * at[4 * row + 2] + t[2] * sx * xy;
        m->to[4 * row + 2] = -t[0] * at[4 * row + 1] + t[2] * cx * xy;
        m->to[4 * row + 3] = 0;
    }
    for (int column = 0; column < 3; column++) {
        m->to[column] -= t[1] * at[4 + column];
        m->to[4 + column] += t[1] * at[column];
    }
}

static void compose(const double *a, const double *b, double *product, double last) {
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            product[4 * row + column] = a[4 * row] * b[column] + a[4 * row + 1] * b[4 + column] +
                                        a[4 * row + 2] * b[8 + column] +
                                        (column == 3 ? last * a[4 * row + 3] : 0);
}

/* The product of two that move. */
static void compose_moving(const moving *a, const moving *b, moving *product) {
    double other[HAND_MATRIX];
    compose(a->at, b->at, product->at, 1);
    compose(a->to, b->at, product->to, 1);
    compose(a->at, b->to, other, 0);
    for (int i = 0; i < HAND_MATRIX; i++)
        product->to[i] += other[i];
}

static void place_bones(const int *parents, const double *relatives, const double *inverses,
                        const double *theta, const double *t_theta, moving *transforms) {
    moving absolutes[HAND_BONES];
    for (int bone = 0; bone < HAND_BONES; bone++) {
        double angles[3] = {0, 0, 0}, t_angles[3] = {0, 0, 0};
        int finger = (bone - 2) / 4, joint = (bone - 2) % 4, first = 6 + 4 * finger;
        if (bone >= 2 && joint < 3) {
            int at = joint == 0 ? first : first + joint + 1;
            angles[0] = theta[at];
            t_angles[0] = t_theta[at];
            angles[1] = joint == 0 ? theta[first + 1] : 0;
            t_angles[1] = joint == 0 ? t_theta[first + 1] : 0;
        }
        moving turn, relative;
        turn_by(angles, t_angles, &turn);
        compose(relatives + bone * HAND_MATRIX, turn.at, relative.at, 1);
        compose(relatives + bone * HAND_MATRIX, turn.to, relative.to, 0);
        if (parents[bone] < 0)
            absolutes[bone] = relative;
        else
            compose_moving(absolutes + parents[bone], &relative, absolutes + bone);
        compose(absolutes[bone].at, inverses + bone * HAND_MATRIX, transforms[bone].at, 1);
        compose(absolutes[bone].to, inverses + bone * HAND_MATRIX, transforms[bone].to, 1);
    }
}

static void skin(int vertices, const double *restrict base, const double *restrict weights,
                 const moving *restrict transforms, double *restrict at, double *restrict to) {
    for (int bone = 0; bone < HAND_BONES; bone++) {
        const double *m = transforms[bone].at, *t = transforms[bone].to, *weight = weights + bone * vertices;
        for (int v = 0; v < vertices; v++) {
            double x = base[3 * v], y = base[3 * v + 1], z = base[3 * v + 2];
            for (int r = 0; r < 3; r++) {
                at[3 * v + r] +=
                    weight[v] * (m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z + m[4 * r + 3]);
                to[3 * v + r] +=
                    weight[v] * (t[4 * r] * x + t[4 * r + 1] * y + t[4 * r + 2] * z + t[4 * r + 3]);
            }
        }
    }
}

static double row_times(const double *row, const double *v) {
    return row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
}

void hand_reference(const int *parents, const double *relatives, const double *inverses, int vertices,
                    const double *base, const double *weights, int count, const int *corresponding,
                    const double *points, const double *theta, const double *t_theta, double *err,
                    double *t_err) {
    moving transforms[HAND_BONES];
    double rotation[9], t_rotation[9], *at = adbench_doubles(6 * (size_t)vertices), *to = at + 3 * vertices;
    place_bones(parents, relatives, inverses, theta, t_theta, transforms);
    skin(vertices, base, weights, transforms, at, to);
    rotation_about(theta, t_theta, rotation, t_rotation);
    for (int i = 0; i < count; i++) {
        const double *v = at + 3 * corresponding[i], *t = to + 3 * corresponding[i];
        for (int r = 0; r < 3; r++) {
            err[3 * i + r] = points[3 * i + r] - row_times(rotation + 3 * r, v) - theta[3 + r];
            t_err[3 * i + r] =
                -row_times(t_rotation + 3 * r, v) - row_times(rotation + 3 * r, t) - t_theta[3 + r];
        }
    }
    free(at);
}
