/* thrust/host_vector.h (execution_policy.h says what these headers are) */
#ifndef GRADWRIGHT_THRUST_HOST_VECTOR_H
#define GRADWRIGHT_THRUST_HOST_VECTOR_H

#include <thrust/gw_vector.h>

namespace thrust {
template <class T> using host_vector = gw_vector<gw_of_host, T>;
}

#endif
