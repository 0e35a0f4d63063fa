/* The toolkit's name for what stands in cuda_runtime.h here. */
#include "cuda_runtime.h"
