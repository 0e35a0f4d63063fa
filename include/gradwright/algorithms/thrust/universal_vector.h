/* thrust/universal_vector.h (execution_policy.h says what these headers are) */
#ifndef GRADWRIGHT_THRUST_UNIVERSAL_VECTOR_H
#define GRADWRIGHT_THRUST_UNIVERSAL_VECTOR_H

#include <thrust/gw_vector.h>

namespace thrust {
template <class T> using universal_vector = gw_vector<gw_of_both, T>;
}

#endif
