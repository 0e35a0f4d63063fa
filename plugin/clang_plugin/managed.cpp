// `__managed__` variables of the CPU device: one variable for the host and for kernels.
//
// What it does. The host pass has an ordinary variable, with its initial value. That of the device pass becomes
// a declaration of it, which the linker resolves, as it does with a function of the C library that a kernel
// calls. A constructor tells the runtime of it, which so knows it as managed memory, and by its name.
//
// Requires external linkage: of a static variable the linker says that it is undefined.
#include "plugin/clang_plugin/shared_memory_private.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

StringSet<> &managedNames() {
    static StringSet<> names;
    return names;
}

void shareManaged(Module &module) {
    SmallVector<GlobalVariable *, 4> found;
    for (GlobalVariable &variable : module.globals())
        if (managedNames().contains(variable.getName())) found.push_back(&variable);
    if (found.empty()) return;
    LLVMContext &context = module.getContext();
    Type *const nothing = Type::getVoidTy(context), *const size = Type::getInt64Ty(context);
    const FunctionCallee tell =
        module.getOrInsertFunction("gw_cpu_managed", nothing, PointerType::getUnqual(context), size);
    Function *const constructor = Function::Create(FunctionType::get(nothing, false),
                                                   GlobalValue::InternalLinkage, "gw_cpu_tell_managed", module);
    IRBuilder<> builder(BasicBlock::Create(context, "entry", constructor));
    for (GlobalVariable *variable : found) {
        variable->setInitializer(nullptr);
        variable->setComdat(nullptr);
        variable->setLinkage(GlobalValue::ExternalLinkage);
        variable->setVisibility(GlobalValue::DefaultVisibility);
        variable->setDSOLocal(false);
        variable->setExternallyInitialized(false);
        const uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable->getValueType());
        builder.CreateCall(tell, {variable, ConstantInt::get(size, bytes)});
    }
    builder.CreateRetVoid();
    appendToGlobalCtors(module, constructor, 0);
}
