/*
 * clusters.cu - soft k-means (clusters.h) by Thrust, and a metric that is learned through it (learn.h).
 *
 *     gwcc -O2 clusters.cu -o clusters && ./clusters
 */
#include <gradwright/gradwright.h>
#include <gradwright/program.h>

#include "on_device.cuh"

#include "clusters.h"

#include "clusters.grad.cuh"

#include "learn.h"
