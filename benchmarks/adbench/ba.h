/* ba.h - bundle adjustment: how far a camera's picture of a point is from where the point was seen. */
#ifndef ADBENCH_BA_H
#define ADBENCH_BA_H

#include "adbench.h"

#include <gradwright/sparse.h>

/* camera: rotation vector, centre, focal length, principal point, two radial distortions. */
enum { BA_CAMERA = 11, BA_POINT = 3, BA_ROW = BA_CAMERA + BA_POINT + 1 };

void ba_reprojection(const double *UNSHARED camera, const double *UNSHARED point, const double *UNSHARED weight,
                     const double *UNSHARED seen, double *UNSHARED err);
void ba_weight_error(const double *UNSHARED weight, double *UNSHARED err);

/* rows[2][BA_ROW]: both derivatives of the reprojection error by camera, point and weight. */
bool ba_generated(const double *camera, const double *point, const double *weight, const double *seen,
                  double *rows, double *weight_row);
/* All errors, three an observation, by all parameters: cameras, points, weights. */
gw_status ba_jacobian(int cameras, int points, int seen, const double *parameters, const double *features,
                      const int *which, double *err, gw_sparse *j);
void ba_reference(const double *camera, const double *point, const double *weight, const double *seen,
                  double *rows, double *weight_row);

#endif
