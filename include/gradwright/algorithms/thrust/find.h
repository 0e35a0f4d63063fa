/* thrust/find.h (gw_others.h) */
#include <thrust/gw_others.h>
