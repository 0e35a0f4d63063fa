// The few PTX instructions that the CPU device knows, and a sentence for the others.
//
// Requires that it runs before code generation: the host's assembler knows no PTX. Clang leaves an `asm`
// statement in a module as a call of its text, with `$0` for the first operand.
// What it does. A text in the table becomes a call of the runtime (runtime/cpu_device/ptx.c) with the same
// operands. Any other text with a PTX type or register in it is an error at the line of the source. What is
// in no function that is compiled is not seen.
#include "plugin/clang_plugin/ptx_private.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace {

struct Row {
    StringRef text, function;
};
constexpr Row rows[] = {
    {"mov.u32 $0, %laneid", "gw_cpu_ptx_laneid"},
    {"mov.u32 $0, %warpid", "gw_cpu_ptx_warpid"},
    {"mov.u32 $0, %lanemask_eq", "gw_cpu_ptx_lanemask_eq"},
    {"mov.u32 $0, %lanemask_lt", "gw_cpu_ptx_lanemask_lt"},
    {"mov.u32 $0, %lanemask_le", "gw_cpu_ptx_lanemask_le"},
    {"mov.u32 $0, %lanemask_gt", "gw_cpu_ptx_lanemask_gt"},
    {"mov.u32 $0, %lanemask_ge", "gw_cpu_ptx_lanemask_ge"},
    {"mov.u32 $0, %smid", "gw_cpu_ptx_smid"},
    {"mov.u32 $0, %clock", "gw_cpu_ptx_clock"},
    {"mov.u64 $0, %clock64", "gw_cpu_ptx_clock64"},
    {"mov.u64 $0, %globaltimer", "gw_cpu_ptx_globaltimer"},
    {"bfind.u32 $0, $1", "gw_cpu_ptx_bfind_u32"},
    {"vabsdiff4.u32.u32.u32.add $0, $1, $2, $3", "gw_cpu_ptx_vabsdiff4_add"},
};

/// The text without the blanks and the semicolon that do not matter.
std::string plain(StringRef text) {
    std::string result;
    for (char c : text) {
        const bool blank = isSpace(c);
        if (blank && (result.empty() || result.back() == ' ')) continue;
        result += blank ? ' ' : c;
    }
    StringRef end = StringRef(result).rtrim(" ;");
    return end.str();
}

/// A text may be written with no blank behind a comma.
bool same(StringRef a, StringRef b) {
    auto next = [](StringRef &s) {
        while (!s.empty() && s.front() == ' ')
            s = s.drop_front();
        const char c = s.empty() ? '\0' : s.front();
        s = s.drop_front(!s.empty());
        return c;
    };
    for (;;) {
        const char c = next(a);
        if (c != next(b)) return false;
        if (!c) return true;
    }
}

void replace(CallInst &call, StringRef function) {
    IRBuilder<> builder(&call);
    SmallVector<Value *, 4> arguments(call.args());
    SmallVector<Type *, 4> types;
    for (Value *argument : arguments)
        types.push_back(argument->getType());
    FunctionCallee callee =
        call.getModule()->getOrInsertFunction(function, FunctionType::get(call.getType(), types, false));
    call.replaceAllUsesWith(builder.CreateCall(callee, arguments));
    call.eraseFromParent();
}

bool isPtx(StringRef text) {
    static const Regex sign(
        "\\.(u|s|b|f)(8|16|32|64)|\\.(sync|cta|gpu|shared|global|param|pred)|%(laneid|warpid|smid)");
    return sign.match(text);
}

} // namespace

PreservedAnalyses PtxPass::run(Module &module, ModuleAnalysisManager &) {
    SmallVector<CallInst *, 8> calls;
    for (Function &function : module)
        for (Instruction &instruction : instructions(function))
            if (auto *call = dyn_cast<CallInst>(&instruction))
                if (call->isInlineAsm()) calls.push_back(call);
    bool changed = false;
    for (CallInst *call : calls) {
        const std::string text = plain(cast<InlineAsm>(call->getCalledOperand())->getAsmString());
        const Row *row = find_if(rows, [&](const Row &r) { return same(r.text, text); });
        if (row != std::end(rows)) {
            replace(*call, row->function);
            changed = true;
        } else if (isPtx(text)) {
            module.getContext().emitError(call, "inline PTX that the CPU device does not know: '" + text + "'");
        }
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
