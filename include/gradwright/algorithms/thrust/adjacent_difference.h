/* thrust/adjacent_difference.h (gw_others.h) */
#include <thrust/gw_others.h>
