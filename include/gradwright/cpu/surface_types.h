/* The toolkit's name for what stands in texture_types.h here. */
#include "texture_types.h"
