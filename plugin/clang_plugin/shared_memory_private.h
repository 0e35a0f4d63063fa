// What the parts of the device pass's plugin share.
#ifndef GW_PLUGIN_SHARED_MEMORY_PRIVATE_H
#define GW_PLUGIN_SHARED_MEMORY_PRIVATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/GlobalVariable.h"

/// The mangled names of `extern __shared__` variables of the translation unit that is compiled.
llvm::StringSet<> &dynamicSharedNames();
/// Those of `__managed__` variables.
llvm::StringSet<> &managedNames();
/// Makes them the host's (managed.cpp).
void shareManaged(llvm::Module &module);
/// Whether this is a checked build.
bool &checkedBuild();

/// Where a shared variable lies in its block's memory.
struct SharedPlace {
    llvm::GlobalVariable *variable = nullptr;
    uint64_t offset = 0, size = 0;
    bool dynamic = false;
};

/// Instruments a module's accesses; the places are ordered by offset.
void checkSharedAccesses(llvm::Module &module, llvm::ArrayRef<SharedPlace> places);
/// Lanes wait for each other at volatile accesses (in_step.cpp).
void keepInStep(llvm::Module &module, llvm::ArrayRef<SharedPlace> places);

#endif
