// standard: c++20
/*
 * clusters.cpp - soft k-means (clusters.h) by the standard library's parallel algorithms, and a metric that is
 * learned through it (learn.h).
 *
 *     gwcc -std=c++20 -O2 clusters.cpp -o clusters -ltbb && ./clusters
 */
#include <gradwright/gradwright.h>

#include <cmath>

#include "on_host.h"

#include "clusters.h"

#include "clusters.grad.hpp"

#include "learn.h"
