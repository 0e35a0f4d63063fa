// The device pass's helper: one thunk for each kernel, and the names of dynamic shared memory.
//
// What it does. In the second pass of `gwcc --device=cpu` (an x86 or Arm compilation with
// -fcuda-is-device) it adds, for every kernel that has a body (instantiations, static, anonymous
// and lambda-typed ones included), a function
//     void gw_cpu_thunk.<sizes>.<mangled kernel name>(void **arguments)
// (sizes: "8_8_4" for the kernel's parameters, so that the runtime can keep arguments) that calls the
// kernel with the arguments that cudaLaunchKernel was given. It is added to the AST, so Clang itself
// lowers the call and no calling convention is written down here.
// It also tells shared_memory.cpp, whose pass sees no CUDA attributes, which external variables are
// dynamic shared memory, and managed.cpp which variables are the host's too.
#include "plugin/clang_plugin/shared_memory_private.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Mangle.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Initialization.h"
#include "clang/Sema/Sema.h"
// LLVM 20 and later: the traversal is compiled once, inside of Clang, and not here, where it takes 10 s.
#if __has_include("clang/AST/DynamicRecursiveASTVisitor.h")
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#define GW_VISITOR(CLASS) clang::DynamicRecursiveASTVisitor
#define GW_OVERRIDES      override
#else
#include "clang/AST/RecursiveASTVisitor.h"
#define GW_VISITOR(CLASS) clang::RecursiveASTVisitor<CLASS>
#define GW_OVERRIDES
#endif

using namespace clang;

namespace {

constexpr char thunkPrefix[] = "gw_cpu_thunk.";

/// Finds the kernels with a body and the external shared variables.
class DeviceFinder : public GW_VISITOR(DeviceFinder) {
  public:
#if __has_include("clang/AST/DynamicRecursiveASTVisitor.h")
    DeviceFinder() { ShouldVisitTemplateInstantiations = true; }
#else
    bool shouldVisitTemplateInstantiations() const { return true; }
#endif

    bool VisitFunctionDecl(FunctionDecl *function) GW_OVERRIDES {
        if (function->hasAttr<CUDAGlobalAttr>() && function->doesThisDeclarationHaveABody() &&
            !function->isDependentContext() && seen.insert(function->getCanonicalDecl()).second)
            kernels.push_back(function);
        return true;
    }

    bool VisitVarDecl(VarDecl *variable) GW_OVERRIDES {
        if (variable->hasAttr<CUDASharedAttr>() && variable->hasExternalStorage()) dynamic.push_back(variable);
        for (const auto *mark : variable->specific_attrs<AnnotateAttr>())
            if (mark->getAnnotation() == "gradwright:managed") managed.push_back(variable);
        return true;
    }

    SmallVector<FunctionDecl *, 16> kernels;
    SmallVector<VarDecl *, 4> dynamic, managed;

  private:
    llvm::SmallPtrSet<const FunctionDecl *, 16> seen;
};

std::string mangledName(MangleContext &mangler, GlobalDecl global) {
    const auto *declaration = cast<NamedDecl>(global.getDecl());
    if (!mangler.shouldMangleDeclName(declaration)) return declaration->getName().str();
    std::string name;
    llvm::raw_string_ostream out(name);
    mangler.mangleName(global, out);
    return name;
}

/// Builds the AST of one kernel's thunk.
class ThunkBuilder {
  public:
    ThunkBuilder(Sema &sema, MangleContext &mangler)
        : sema(sema), context(sema.getASTContext()), mangler(mangler) {}

    FunctionDecl *build(FunctionDecl *kernel) {
        location = kernel->getLocation();
        FunctionDecl *thunk = declare(kernel);
        Sema::ContextRAII inside(sema, thunk);
        EnterExpressionEvaluationContext evaluated(sema,
                                                   Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
        SmallVector<Expr *, 8> arguments;
        for (unsigned i = 0; i < kernel->getNumParams(); ++i) {
            Expr *argument = copyOfArgument(thunk->getParamDecl(0), kernel->getParamDecl(i), i);
            if (!argument) return nullptr;
            arguments.push_back(argument);
        }
        thunk->setBody(
            CompoundStmt::Create(context, {call(kernel, arguments)}, FPOptionsOverride(), location, location));
        return thunk;
    }

  private:
    std::string nameOf(const FunctionDecl *kernel) {
        std::string name = thunkPrefix;
        for (const ParmVarDecl *parameter : kernel->parameters()) {
            if (parameter != *kernel->param_begin()) name += '_';
            name += std::to_string(context.getTypeSizeInChars(parameter->getType()).getQuantity());
        }
        return name + '.' + mangledName(mangler, GlobalDecl(kernel, KernelReferenceKind::Kernel));
    }

    FunctionDecl *declare(const FunctionDecl *kernel) {
        const std::string name = nameOf(kernel);
        QualType arrayType = context.getPointerType(context.VoidPtrTy);
        QualType type = context.getFunctionType(context.VoidTy, {arrayType}, FunctionProtoType::ExtProtoInfo());
        FunctionDecl *thunk = FunctionDecl::Create(context, context.getTranslationUnitDecl(), location,
                                                   location, DeclarationName(&context.Idents.get(name)), type,
                                                   context.getTrivialTypeSourceInfo(type, location), SC_None);
        ParmVarDecl *array =
            ParmVarDecl::Create(context, thunk, location, location, &context.Idents.get("arguments"), arrayType,
                                context.getTrivialTypeSourceInfo(arrayType, location), SC_None, nullptr);
        thunk->setParams({array});
        thunk->addAttr(CUDADeviceAttr::CreateImplicit(context));
        thunk->addAttr(AsmLabelAttr::CreateImplicit(context, name));
        return thunk;
    }

    Expr *load(Expr *lvalue) {
        return ImplicitCastExpr::Create(context, lvalue->getType(), CK_LValueToRValue, lvalue, nullptr,
                                        VK_PRValue, FPOptionsOverride());
    }

    /// *(T *)arguments[i], copied the way that the kernel's parameter is initialised.
    Expr *copyOfArgument(ParmVarDecl *array, ParmVarDecl *parameter, unsigned i) {
        if (parameter->getType()->isReferenceType()) {
            const unsigned id = sema.getDiagnostics().getCustomDiagID(
                DiagnosticsEngine::Error, "a kernel parameter of reference type is not supported by the "
                                          "CPU device");
            sema.getDiagnostics().Report(parameter->getLocation(), id);
            return nullptr;
        }
        QualType type = parameter->getType().getUnqualifiedType();
        Expr *base = load(DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), array, false,
                                              location, array->getType(), VK_LValue));
        Expr *index = IntegerLiteral::Create(context, llvm::APInt(context.getIntWidth(context.IntTy), i),
                                             context.IntTy, location);
        Expr *cell =
            new (context) ArraySubscriptExpr(base, index, context.VoidPtrTy, VK_LValue, OK_Ordinary, location);
        QualType pointer = context.getPointerType(type);
        Expr *typed = CStyleCastExpr::Create(
            context, pointer, VK_PRValue, CK_BitCast, load(cell), nullptr, FPOptionsOverride(),
            context.getTrivialTypeSourceInfo(pointer, location), location, location);
        Expr *object = UnaryOperator::Create(context, typed, UO_Deref, type, VK_LValue, OK_Ordinary, location,
                                             false, FPOptionsOverride());
        ExprResult copy = sema.PerformCopyInitialization(
            InitializedEntity::InitializeParameter(context, parameter), location, object);
        return copy.isInvalid() ? nullptr : copy.get();
    }

    Expr *call(FunctionDecl *kernel, ArrayRef<Expr *> arguments) {
        Expr *name = DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), kernel, false,
                                         location, kernel->getType(), VK_LValue);
        Expr *callee =
            ImplicitCastExpr::Create(context, context.getPointerType(kernel->getType()),
                                     CK_FunctionToPointerDecay, name, nullptr, VK_PRValue, FPOptionsOverride());
        Expr *result = CallExpr::Create(context, callee, arguments, context.VoidTy, VK_PRValue, location,
                                        FPOptionsOverride());
        return sema.MaybeCreateExprWithCleanups(result);
    }

    Sema &sema;
    ASTContext &context;
    MangleContext &mangler;
    SourceLocation location;
};

class ThunkConsumer : public ASTConsumer {
  public:
    explicit ThunkConsumer(CompilerInstance &compiler) : compiler(compiler) {}

    void HandleTranslationUnit(ASTContext &context) override {
        DiagnosticsEngine &diagnostics = context.getDiagnostics();
        if (diagnostics.hasErrorOccurred()) return;
        DeviceFinder finder;
        finder.TraverseDecl(context.getTranslationUnitDecl());
        std::unique_ptr<MangleContext> mangler(context.createMangleContext());
        for (const VarDecl *variable : finder.dynamic)
            dynamicSharedNames().insert(mangledName(*mangler, variable));
        for (const VarDecl *variable : finder.managed)
            managedNames().insert(mangledName(*mangler, variable));
        ThunkBuilder builder(compiler.getSema(), *mangler);
        for (FunctionDecl *kernel : finder.kernels)
            if (FunctionDecl *thunk = builder.build(kernel))
                compiler.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(thunk));
    }

  private:
    CompilerInstance &compiler;
};

class ThunkAction : public PluginASTAction {
  protected:
    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef) override {
        return std::make_unique<ThunkConsumer>(compiler);
    }
    bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &arguments) override {
        checkedBuild() = llvm::is_contained(arguments, "checked");
        return true;
    }
    ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

static FrontendPluginRegistry::Add<ThunkAction>
    registration("gwthunks", "adds the kernel thunks of Gradwright's CPU device");
