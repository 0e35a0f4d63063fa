/* The toolkit's name for what stands in host_defines.h here. */
#include "host_defines.h"
