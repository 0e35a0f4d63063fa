// Inline PTX of device code for the host's processor.
#ifndef GW_PLUGIN_PTX_PRIVATE_H
#define GW_PLUGIN_PTX_PRIVATE_H

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PassManager.h"

class PtxPass : public llvm::PassInfoMixin<PtxPass> {
  public:
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
    static bool isRequired() { return true; }
};

#endif
