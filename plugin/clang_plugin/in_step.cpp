// Lanes that run in step: kernels that let lanes of a warp meet in volatile memory without __syncwarp run on
// the CPU device as they did before Volta.
//
// Requires that it runs before every optimisation, on memory that is still named.
// What it does. In front of each volatile access to what may be shared memory, and behind a store, a lane waits
// in the runtime (runtime/cpu_device/warp.c) until no other lane of its warp can run; then those go on that are
// least far in the kernel. So all have read what a store overwrites, and all have stored before one goes on,
// lanes that have passed over a branch among them. How far a lane is: where it waits, in the order of the
// blocks of the kernel, in which what is behind a branch comes after both of its sides; in a loop, how many
// iterations it has begun comes first. Functions with such accesses are inlined, so that each place has its
// number. What it is not. Lanes that leave a loop at different times have no such order, and the derivatives of
// such kernels are refused (analysis/lockstep). In the checked build a missing __syncwarp is a race all the
// same.
#include "plugin/clang_plugin/shared_memory_private.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

constexpr unsigned placeBits = 20, roundBits = 24, nestedMost = 16;

/// A function's own variables, and global memory that has a name, are nobody's place to meet.
bool meets(const Instruction &instruction, ArrayRef<SharedPlace> places) {
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer || !instruction.isVolatile()) return false;
    const Value *memory = getUnderlyingObject(pointer, 0);
    if (isa<AllocaInst>(memory)) return false;
    const auto *variable = dyn_cast<GlobalVariable>(memory);
    return !variable || any_of(places, [&](const SharedPlace &place) { return place.variable == variable; });
}

bool meets(const Function &function, ArrayRef<SharedPlace> places) {
    return any_of(instructions(function), [&](const Instruction &i) { return meets(i, places); });
}

/// Into their callers, and these into theirs; what calls itself stays.
void inlineMeeting(Module &module, ArrayRef<SharedPlace> places) {
    for (unsigned depth = 0; depth < nestedMost; ++depth) {
        SmallVector<CallBase *, 16> calls;
        for (Function &function : module)
            for (Instruction &instruction : instructions(function)) {
                auto *call = dyn_cast<CallBase>(&instruction);
                Function *callee = call ? call->getCalledFunction() : nullptr;
                if (callee && callee != &function && !callee->isDeclaration() && meets(*callee, places))
                    calls.push_back(call);
            }
        for (CallBase *call : calls) {
            InlineFunctionInfo info;
            InlineFunction(*call, info);
        }
        if (calls.empty()) return;
    }
}

class Steps {
  public:
    explicit Steps(Function &function)
        : module(*function.getParent()), word(Type::getInt64Ty(module.getContext())), tree(function),
          loops(tree), rounds(IRBuilder<>(&*function.getEntryBlock().getFirstInsertionPt())
                                  .CreateAlloca(word, nullptr, "gw_rounds")) {
        uint64_t number = 0;
        for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function)) {
            first[block] = ++number;
            for (Instruction &instruction : *block)
                place[&instruction] = number += 2;
        }
    }

    void wait(Instruction &access) {
        Loop *loop = loops.getLoopFor(access.getParent());
        while (loop && loop->getParentLoop())
            loop = loop->getParentLoop();
        if (loop && counted.insert(loop).second) count(*loop);
        call(&access, loop, place[&access]);
        if (isa<StoreInst>(access)) call(access.getNextNode(), loop, place[&access] + 1);
    }

  private:
    /// The iterations that have begun, of the loop and of those in it.
    void count(Loop &loop) {
        for (BasicBlock *before : predecessors(loop.getHeader()))
            if (!loop.contains(before)) IRBuilder<>(before->getTerminator()).CreateStore(zero(), rounds);
        for (Loop *inner : loop.getLoopsInPreorder()) {
            SmallVector<BasicBlock *, 4> ends;
            inner->getLoopLatches(ends);
            for (BasicBlock *end : ends) {
                IRBuilder<> builder(end->getTerminator());
                Value *now = builder.CreateLoad(word, rounds);
                builder.CreateStore(builder.CreateAdd(now, ConstantInt::get(word, 1)), rounds);
            }
        }
    }

    void call(Instruction *before, Loop *loop, uint64_t here) {
        IRBuilder<> builder(before);
        const uint64_t head = loop ? first[loop->getHeader()] : here;
        Value *position = ConstantInt::get(word, head << (placeBits + roundBits) | here);
        if (loop) {
            Value *round = builder.CreateAnd(builder.CreateLoad(word, rounds), (UINT64_C(1) << roundBits) - 1);
            position = builder.CreateOr(position, builder.CreateShl(round, placeBits));
        }
        FunctionCallee callee =
            module.getOrInsertFunction("gw_cpu_in_step", Type::getVoidTy(module.getContext()), word);
        builder.CreateCall(callee, {position});
    }

    Constant *zero() const { return ConstantInt::get(word, 0); }

    Module &module;
    Type *word;
    DominatorTree tree;
    LoopInfo loops;
    AllocaInst *rounds;
    DenseMap<const BasicBlock *, uint64_t> first;
    DenseMap<const Instruction *, uint64_t> place;
    SmallPtrSet<const Loop *, 4> counted;
};

} // namespace

void keepInStep(Module &module, ArrayRef<SharedPlace> places) {
    inlineMeeting(module, places);
    for (Function &function : module) {
        SmallVector<Instruction *, 16> accesses;
        for (Instruction &instruction : instructions(function))
            if (meets(instruction, places)) accesses.push_back(&instruction);
        if (accesses.empty()) continue;
        Steps steps(function);
        for (Instruction *access : accesses)
            steps.wait(*access);
    }
}
