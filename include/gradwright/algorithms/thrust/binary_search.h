/* thrust/binary_search.h (gw_others.h) */
#include <thrust/gw_others.h>
