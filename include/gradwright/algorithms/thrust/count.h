/* thrust/count.h (gw_others.h) */
#include <thrust/gw_others.h>
