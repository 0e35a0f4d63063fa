// What the two parts of the device pass's plugin share.
#ifndef GW_PLUGIN_SHARED_MEMORY_H
#define GW_PLUGIN_SHARED_MEMORY_H

#include "llvm/ADT/StringSet.h"

/// The mangled names of `extern __shared__` variables of the translation unit that is compiled.
llvm::StringSet<> &dynamicSharedNames();

#endif
