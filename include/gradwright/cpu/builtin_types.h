/* The toolkit's name for what stands in cuda_runtime_api.h here. */
#include "cuda_runtime_api.h"
