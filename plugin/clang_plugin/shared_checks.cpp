// The checked build: before each access of memory that may be shared memory, a call that tells the CPU
// device's runtime (runtime/cpu_device/check.c) the address, the size and the place in the source.
//
// Requires that it runs before shared_memory.cpp's placement, while accesses still name their variables, and
// before every optimisation, so that what is checked is what the source says. Functions that must be inlined
// are inlined first: an access inside an atomic of the headers gets the place of the call.
// What is not instrumented. Accesses of a function's own variables, and modules without shared variables.
#include "plugin/clang_plugin/shared_memory_private.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace {

/// Whole: what was there before may be undefined, as where a structure with padding is copied.
enum Kind : unsigned { reads = 0, writes = 1, atomic = 2, whole = 4 };

struct Access {
    Instruction *instruction;
    Value *pointer, *size;
    unsigned kind;
};

StringRef plainName(StringRef mangled, std::string &storage) {
    storage = demangle(mangled);
    const size_t colon = storage.rfind("::");
    return colon == std::string::npos ? StringRef(storage) : StringRef(storage).substr(colon + 2);
}

/// The file's path, relative where it lies below the folder of the compilation, as the user is likely to write
/// it.
std::string pathOf(const DILocation &place) {
    SmallString<256> path(place.getFilename()), here;
    if (!sys::path::is_absolute(path)) {
        path = place.getDirectory();
        sys::path::append(path, place.getFilename());
    }
    if (sys::fs::current_path(here)) return std::string(path);
    here += "/";
    StringRef relative = path;
    relative.consume_front(here);
    return relative.str();
}

/// The innermost place outside the CPU device's own headers.
const DILocation *placeOf(const Instruction &instruction) {
    const DILocation *place = instruction.getDebugLoc().get();
    while (place && place->getInlinedAt() && place->getFilename().contains("gradwright/cpu/"))
        place = place->getInlinedAt();
    return place;
}

class Checker {
  public:
    Checker(Module &module, ArrayRef<SharedPlace> places)
        : module(module), context(module.getContext()), pointer(PointerType::getUnqual(context)),
          word(Type::getInt64Ty(context)), half(Type::getInt32Ty(context)) {
        for (const SharedPlace &place : places)
            sizes[place.variable] = place;
        makeLayout(places);
    }

    void run(Function &function) {
        SmallVector<Access, 32> accesses;
        for (Instruction &instruction : instructions(function))
            collect(instruction, accesses);
        for (const Access &access : accesses)
            instrument(access);
    }

  private:
    Constant *text(StringRef value) {
        Constant *&found = texts[value];
        if (!found) {
            Constant *bytes = ConstantDataArray::getString(context, value);
            found = new GlobalVariable(module, bytes->getType(), true, GlobalValue::PrivateLinkage, bytes);
        }
        return found;
    }

    Constant *constant(ArrayRef<Constant *> members) {
        Constant *value = ConstantStruct::getAnon(members);
        return new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage, value);
    }

    Constant *nameOf(const GlobalVariable *variable) {
        std::string storage;
        return text(plainName(variable->getName(), storage));
    }

    /// {count, {name, offset, size}...}: the static variables, by offset.
    void makeLayout(ArrayRef<SharedPlace> places) {
        SmallVector<Constant *, 32> members = {nullptr};
        uint64_t count = 0;
        for (const SharedPlace &place : places) {
            if (place.dynamic) continue;
            members.append({nameOf(place.variable), ConstantInt::get(word, place.offset),
                            ConstantInt::get(word, place.size)});
            ++count;
        }
        members[0] = ConstantInt::get(word, count);
        layout = constant(members);
    }

    void collect(Instruction &instruction, SmallVectorImpl<Access> &accesses) {
        const auto add = [&](Value *address, Value *size, unsigned kind) {
            if (!isa<AllocaInst>(getUnderlyingObject(address, 0)))
                accesses.push_back({&instruction, address, size, kind});
        };
        const auto sizeOf = [&](Type *type) {
            return ConstantInt::get(word, module.getDataLayout().getTypeStoreSize(type));
        };
        if (auto *load = dyn_cast<LoadInst>(&instruction))
            add(load->getPointerOperand(), sizeOf(load->getType()), load->isAtomic() ? atomic : reads);
        else if (auto *store = dyn_cast<StoreInst>(&instruction))
            add(store->getPointerOperand(), sizeOf(store->getValueOperand()->getType()),
                store->isAtomic() ? atomic | writes : writes);
        else if (auto *change = dyn_cast<AtomicRMWInst>(&instruction))
            add(change->getPointerOperand(), sizeOf(change->getType()),
                change->getOperation() == AtomicRMWInst::Xchg ? atomic | writes | whole : atomic | writes);
        else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
            add(exchange->getPointerOperand(), sizeOf(exchange->getNewValOperand()->getType()),
                atomic | writes);
        else if (auto *fill = dyn_cast<MemIntrinsic>(&instruction)) {
            if (auto *copy = dyn_cast<MemTransferInst>(fill))
                add(copy->getRawSource(), copy->getLength(), reads | whole);
            add(fill->getRawDest(), fill->getLength(), writes | whole);
        }
    }

    void instrument(const Access &access) {
        const DILocation *place = placeOf(*access.instruction);
        const auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(access.pointer, 0));
        const auto found = variable ? sizes.find(variable) : sizes.end();
        if (variable && found == sizes.end()) return; // a variable in global memory
        const bool known = found != sizes.end();
        Constant *site =
            constant({text(place ? pathOf(*place) : "?"), ConstantInt::get(half, place ? place->getLine() : 0),
                      ConstantInt::get(half, place ? place->getColumn() : 0),
                      known ? nameOf(variable) : ConstantPointerNull::get(pointer),
                      ConstantInt::get(word, known ? found->second.offset : 0),
                      ConstantInt::get(word, known && !found->second.dynamic ? found->second.size : 0), layout,
                      ConstantInt::get(word, access.kind)});
        IRBuilder<> builder(access.instruction);
        FunctionCallee check =
            module.getOrInsertFunction("gw_cpu_check_shared", Type::getVoidTy(context), pointer, word, pointer);
        builder.CreateCall(check, {access.pointer, builder.CreateZExtOrTrunc(access.size, word), site});
    }

    Module &module;
    LLVMContext &context;
    PointerType *pointer;
    IntegerType *word, *half;
    Constant *layout = nullptr;
    StringMap<Constant *> texts;
    DenseMap<const GlobalVariable *, SharedPlace> sizes;
};

} // namespace

void checkSharedAccesses(Module &module, ArrayRef<SharedPlace> places) {
    Checker checker(module, places);
    for (Function &function : module)
        if (!function.isDeclaration()) checker.run(function);
}
