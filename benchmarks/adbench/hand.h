/* hand.h - hand tracking: how far a posed hand's skin is from the points where it was seen. */
#ifndef ADBENCH_HAND_H
#define ADBENCH_HAND_H

#include "adbench.h"

/* A transformation is the first three rows of its matrix, row-major. */
enum { HAND_BONES = 22, HAND_ANGLES = 26, HAND_MATRIX = 12 };

/*
 * parents[HAND_BONES]: a bone's parent, which comes before it, or -1. relatives[HAND_BONES][12]: where a bone
 * is in its parent's frame; inverses[HAND_BONES][12]: from the rest pose into the bone's frame.
 * base[vertices][3]: the skin at rest. weights[HAND_BONES][vertices]: how much it follows each bone.
 * points[count][3] belong to the vertices corresponding[count]. theta[HAND_ANGLES]: rotation and place of the
 * hand, then four angles of each finger. err[count][3].
 */
void hand_objective(const int *UNSHARED parents, const double *UNSHARED relatives,
                    const double *UNSHARED inverses, int vertices, const double *UNSHARED base,
                    const double *UNSHARED weights, int count, const int *UNSHARED corresponding,
                    const double *UNSHARED points, const double *UNSHARED theta, double *UNSHARED err);

/* How err moves, into t_err, when theta moves by t_theta. */
bool hand_generated(const int *parents, const double *relatives, const double *inverses, int vertices,
                    const double *base, const double *weights, int count, const int *corresponding,
                    const double *points, const double *theta, const double *t_theta, double *err,
                    double *t_err);
/* jacobian[3 * count][HAND_ANGLES]; false: out of memory. */
bool hand_jacobian(const int *parents, const double *relatives, const double *inverses, int vertices,
                   const double *base, const double *weights, int count, const int *corresponding,
                   const double *points, const double *theta, double *err, double *jacobian);
void hand_reference(const int *parents, const double *relatives, const double *inverses, int vertices,
                    const double *base, const double *weights, int count, const int *corresponding,
                    const double *points, const double *theta, const double *t_theta, double *err,
                    double *t_err);

#endif
