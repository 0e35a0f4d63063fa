/* thrust/device_vector.h (execution_policy.h says what these headers are) */
#ifndef GRADWRIGHT_THRUST_DEVICE_VECTOR_H
#define GRADWRIGHT_THRUST_DEVICE_VECTOR_H

#include <thrust/gw_vector.h>

namespace thrust {
template <class T> using device_vector = gw_vector<gw_of_device, T>;
}

#endif
