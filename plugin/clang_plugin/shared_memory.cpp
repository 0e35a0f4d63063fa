// Places `__shared__` variables in the memory that the CPU device gives to each block.
//
// Requires that it runs before every optimisation: to Clang's x86 back end a shared variable is an
// ordinary global of which each kernel call is the only user, and the optimiser would keep it in a
// register across barriers.
// What it does. A shared variable is recognised by its undefined initial value, which Clang gives to
// nothing else that is global in device code, or by its name if it is dynamic. Each use becomes an
// offset into the memory that the running operating system thread owns (runtime/cpu_device/shared.c):
// dynamic shared memory at 0, static variables one after another from `staticOffset` on, with a gap
// between them so that a small overrun does not reach the next one.
// Why the address may be kept: a block runs on one operating system thread, and that thread's memory
// never moves.
#include "plugin/clang_plugin/shared_memory_private.h"
#include "plugin/clang_plugin/ptx_private.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

using namespace llvm;

StringSet<> &dynamicSharedNames() {
    static StringSet<> names;
    return names;
}

bool &checkedBuild() {
    static bool checked = false;
    return checked;
}

namespace {

constexpr uint64_t staticOffset = 256 * 1024, arenaSize = 16 * 1024 * 1024, gap = 64;

class SharedMemoryPass : public PassInfoMixin<SharedMemoryPass> {
  public:
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
        shareManaged(module);
        uint64_t end = staticOffset;
        SmallVector<SharedPlace, 16> places;
        for (GlobalVariable &variable : module.globals()) {
            if (variable.isDeclaration()) {
                if (dynamicSharedNames().contains(variable.getName()))
                    places.push_back({&variable, 0, 0, true});
                continue;
            }
            if (!isa<UndefValue>(variable.getInitializer())) continue;
            const Align alignment = std::max(variable.getAlign().valueOrOne(), Align(16));
            const uint64_t size = module.getDataLayout().getTypeAllocSize(variable.getValueType());
            const uint64_t offset = alignTo(end + gap, alignment);
            end = offset + size;
            places.push_back({&variable, offset, size, false});
        }
        if (places.empty()) return PreservedAnalyses::all();
        if (end > arenaSize)
            module.getContext().emitError("the file's shared variables are larger than 16 MiB");
        keepInStep(module, places);
        if (checkedBuild()) checkSharedAccesses(module, places);
        for (const SharedPlace &shared : places)
            place(module, shared.variable, shared.offset);
        return PreservedAnalyses::none();
    }

    static bool isRequired() { return true; }

  private:
    GlobalVariable *arena(Module &module) {
        if (GlobalVariable *found = module.getNamedGlobal("gw_cpu_shared")) return found;
        return new GlobalVariable(module, PointerType::getUnqual(module.getContext()), false,
                                  GlobalValue::ExternalLinkage, nullptr, "gw_cpu_shared", nullptr,
                                  GlobalValue::InitialExecTLSModel);
    }

    void place(Module &module, GlobalVariable *variable, uint64_t offset) {
        convertUsersOfConstantsToInstructions({variable});
        DenseMap<Function *, Value *> addresses;
        for (Use &use : make_early_inc_range(variable->uses()))
            if (auto *user = dyn_cast<Instruction>(use.getUser())) {
                Value *&address = addresses[user->getFunction()];
                if (!address) address = addressIn(module, *user->getFunction(), variable, offset);
                use.set(address);
            }
        if (variable->use_empty()) variable->eraseFromParent();
    }

    Value *addressIn(Module &module, Function &function, const GlobalVariable *variable, uint64_t offset) {
        IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
        Value *cell = builder.CreateThreadLocalAddress(arena(module));
        LoadInst *base = builder.CreateLoad(PointerType::getUnqual(module.getContext()), cell);
        base->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(module.getContext(), {}));
        return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset, variable->getName());
    }
};

} // namespace

extern "C" PassPluginLibraryInfo llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "GradwrightSharedMemory", "1", [](PassBuilder &builder) {
                builder.registerPipelineStartEPCallback([](ModulePassManager &manager, OptimizationLevel) {
                    if (checkedBuild()) manager.addPass(AlwaysInlinerPass(false));
                    manager.addPass(PtxPass());
                    manager.addPass(SharedMemoryPass());
                });
            }};
}
