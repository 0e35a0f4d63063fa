/* thrust/swap.h */
#include <thrust/gw_vector.h>
