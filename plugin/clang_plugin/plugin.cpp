// plugin.cpp - Gradwright inside Clang: -fplugin=ClangGradwright-<major>.so
//
// What it does. Before the main parse of a source that asks for gradients it makes x.grad.cuh beside
// the source, so a source that includes its own gradient is compiled by this one call. Options are
// -fplugin-arg-gradwright-NAME[=VALUE], read by the command's table (options.def).
// In a CUDA compilation the pass for the device comes first and generates; the pass for the host that
// embeds its result finds the file made.
// What it says goes through Clang's own engine, at the user's lines: errors make the compilation fail and
// leave the older file as it was; the decisions of --explain are remarks, shown with
// -fplugin-arg-gradwright-explain or -Rpass=gradwright. The one exception is a Clang of another major: its
// engine cannot be called, so the plugin says on standard error what is wrong, does not register itself and
// ends the process before a compilation has begun; to go on would be to compile with an old gradient.
//
// The core needs Clang's arguments as its driver takes them. Each argument of this cc1 stands behind an
// -Xclang, with the driver's own header search switched off: what libclang then runs is this cc1 but for
// outputs and plugins. Warnings are the main parse's to give.
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"
#include "plugin/driver/driver.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace clang;

namespace {

/// The major of the Clang that has loaded the plugin. GW_TEST_CLANG_VERSION stands in for it in tests.
int hostMajor() {
    const char *instead = std::getenv("GW_TEST_CLANG_VERSION");
    std::string version = instead ? instead : getClangFullVersion();
    size_t at = version.find("version ");
    return std::atoi(version.c_str() + (at == std::string::npos ? 0 : at + 8));
}

/// Frees what gw_generate made, on every way out.
struct Run : gw_run {
    Run() : gw_run() {}
    ~Run() { gw_generate_free(this); }
};

/// A message of the C side.
struct Message {
    char *text;
    ~Message() { std::free(text); }
};

class Settings : public gw_settings {
  public:
    Settings() { gw_settings_start(this); }
    Settings(const Settings &) = delete;
    ~Settings() { gw_settings_free(this); }
};

/// Says what a session recorded through Clang's engine.
class Reporter {
  public:
    Reporter(CompilerInstance &compiler, const gw_session *recorded)
        : engine(compiler.getDiagnostics()), sources(compiler.getSourceManager()), session(recorded) {
        ids[GW_SEVERITY_NOTE] = engine.getCustomDiagID(DiagnosticsEngine::Note, "%0");
        ids[GW_SEVERITY_REMARK] = engine.getCustomDiagID(DiagnosticsEngine::Remark, "%0 [-Rpass=gradwright]");
        ids[GW_SEVERITY_WARNING] = engine.getCustomDiagID(DiagnosticsEngine::Warning, "%0 [gradwright]");
        ids[GW_SEVERITY_ERROR] = engine.getCustomDiagID(DiagnosticsEngine::Error, "%0 [gradwright]");
    }

    void report(bool remarks) const {
        for (uint32_t i = 0; i < session->diagnostics.count; i++) {
            const gw_diagnostic &d = session->diagnostics.at[i];
            if (d.severity == GW_SEVERITY_REMARK && !remarks) continue;
            SourceLocation location = locate(d.loc);
            gw_text message = {};
            gw_diag_message(session, &d, &message);
            engine.Report(location, ids[d.severity]) << message.at;
            gw_text_free(&message);
            gw_text way_out = {};
            gw_diag_way_out(session, &d, &way_out);
            if (way_out.count) engine.Report(location, ids[GW_SEVERITY_NOTE]) << way_out.at;
            gw_text_free(&way_out);
        }
    }

  private:
    SourceLocation locate(const gw_loc &loc) const {
        if (!loc.line) return {};
        FileManager &files = sources.getFileManager();
        auto file = files.getOptionalFileRef(gw_cstr(session, loc.file));
        if (!file) return {};
        FileID id = sources.getOrCreateFileID(*file, SrcMgr::C_User);
        auto main = sources.getFileEntryRefForID(sources.getMainFileID());
        if (main && *main == *file) id = sources.getMainFileID();
        return sources.translateLineCol(id, loc.line, loc.column ? loc.column : 1);
    }

    DiagnosticsEngine &engine;
    SourceManager &sources;
    const gw_session *session;
    unsigned ids[GW_SEVERITY_ERROR + 1];
};

/// The arguments of this cc1, for libclang's driver.
std::vector<std::string> driverArguments(CompilerInstance &compiler, bool cuda) {
    CompilerInvocation invocation(compiler.getInvocation());
    FrontendOptions &options = invocation.getFrontendOpts();
    options.ProgramAction = frontend::ParseSyntaxOnly;
    options.Plugins.clear();
    options.AddPluginActions.clear();
    options.PluginArgs.clear();
    options.Inputs.clear();
    for (std::string *output : {&options.OutputFile, &options.StatsFile, &options.TimeTracePath})
        output->clear();
    DependencyOutputOptions &dependencies = invocation.getDependencyOutputOpts();
    for (std::string *output : {&dependencies.OutputFile, &dependencies.HeaderIncludeOutputFile,
                                &dependencies.DOTOutputFile, &dependencies.ModuleDependencyOutputDir})
        output->clear();
    dependencies.Targets.clear();
    dependencies.ExtraDeps.clear();
    invocation.getDiagnosticOpts().DiagnosticSerializationFile.clear();
    invocation.getDiagnosticOpts().DiagnosticLogFile.clear();
    std::vector<std::string> arguments;
    if (cuda)
        arguments = {"-x", "cuda",
                     compiler.getLangOpts().CUDAIsDevice ? "--cuda-device-only" : "--cuda-host-only",
                     "-nocudainc", "-nocudalib"};
    else
        arguments = {"-x", compiler.getLangOpts().CPlusPlus ? "c++" : "c"};
    arguments.insert(arguments.end(), {"-nostdinc", "-nostdinc++", "-w"});
    std::vector<std::string> own = invocation.getCC1CommandLine();
    for (size_t i = 0; i < own.size(); i++) {
        if (own[i] == "-x") // stands at the front, where everybody looks for it
            i++;
        else if (own[i] != "-cc1" && own[i] != "-fsyntax-only")
            arguments.insert(arguments.end(), {"-Xclang", own[i]});
    }
    return arguments;
}

/// Whether the main source speaks of gradients at all; every other one costs nothing.
bool asksForGradients(StringRef source) {
    auto text = llvm::MemoryBuffer::getFile(source);
    bool asks = text && (*text)->getBuffer().contains("gradwright:");
    for (const gw_request_row &row : gw_request_rows)
        asks |= text && (*text)->getBuffer().contains(row.macro);
    return asks;
}

/// CUDA 13 has Thrust, CUB and its C++ library in a folder beside the toolkit's headers, which nvcc knows and
/// Clang does not: it is searched by this compilation and by libclang's, behind the toolkit's own as with nvcc.
void addLibraries(CompilerInstance &compiler) {
    HeaderSearchOptions &options = compiler.getHeaderSearchOpts();
    for (const HeaderSearchOptions::Entry &entry : options.UserEntries) {
        std::string folder = entry.Path + "/cccl";
        auto found = compiler.getFileManager().getOptionalDirectoryRef(folder);
        if (!found || !llvm::sys::fs::exists(entry.Path + "/cuda_runtime.h")) continue;
        options.AddPath(folder, frontend::System, false, true);
        compiler.getPreprocessor().getHeaderSearchInfo().AddSystemSearchPath(
            DirectoryLookup(*found, SrcMgr::C_System, false));
        return;
    }
}

class GradwrightAction : public PluginASTAction {
  protected:
    ActionType getActionType() override { return AddBeforeMainAction; }

    bool ParseArgs(const CompilerInstance &compiler, const std::vector<std::string> &words) override {
        DiagnosticsEngine &engine = compiler.getDiagnostics();
        texts = words; // the settings keep references
        for (const std::string &text : texts) {
            Message error = {gw_settings_set(&settings, text.c_str())};
            if (!error.text) continue;
            engine.Report(engine.getCustomDiagID(DiagnosticsEngine::Fatal, "gradwright: %0")) << error.text;
            return false;
        }
        return true;
    }

    /// Runs before the main parse begins. After an error that parse goes on in silence and fails.
    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef source) override {
        bool cuda = compiler.getLangOpts().CUDA;
        if (cuda) addLibraries(compiler);
        const CodeGenOptions &code = compiler.getCodeGenOpts();
        bool deviceCameFirst = cuda && !compiler.getLangOpts().CUDAIsDevice &&
                               (!code.CudaGpuBinaryFileName.empty() || !code.OffloadObjects.empty());
        const auto &inputs = compiler.getFrontendOpts().Inputs;
        bool preprocessed = !inputs.empty() && inputs.front().isPreprocessed();
        bool wanted =
            !deviceCameFirst && !preprocessed &&
            (settings.requests.count != 0 || settings.request_files.count != 0 || asksForGradients(source));
        if (wanted && !generate(compiler, source, cuda)) {
            DiagnosticsEngine &engine = compiler.getDiagnostics();
            engine.Report(engine.getCustomDiagID(DiagnosticsEngine::Fatal, "no gradient was made for '%0'"))
                << source;
        }
        return std::make_unique<ASTConsumer>();
    }

  private:
    bool generate(CompilerInstance &compiler, StringRef source, bool cuda) {
        std::string path = source.str();
        std::vector<std::string> arguments = driverArguments(compiler, cuda);
        std::vector<const char *> words;
        for (const std::string &argument : arguments)
            words.push_back(argument.c_str());
        settings.source = path.c_str();
        settings.clang_args = words.data();
        settings.clang_args_count = static_cast<int>(words.size());
        bool remarks = settings.options.explain ||
                       compiler.getCodeGenOpts().OptimizationRemark.patternMatches("gradwright");
        Run run;
        bool ok = gw_generate_write(&run, &settings, gw_generate(&run, &settings));
        Reporter(compiler, run.session).report(remarks);
        return ok;
    }

    std::vector<std::string> texts;
    Settings settings;
};

/// Called when the plugin is loaded: nothing of Clang's may be touched before the major is known.
__attribute__((constructor)) void enter() {
    if (hostMajor() != GW_LLVM_MAJOR) {
        std::fprintf(
            stderr,
            "ClangGradwright-%d.so: error: this plugin is made for Clang %d and was loaded by Clang %d; "
            "build Gradwright with -DGW_LLVM_MAJOR=%d, or use clang-%d\n",
            GW_LLVM_MAJOR, GW_LLVM_MAJOR, hostMajor(), hostMajor(), GW_LLVM_MAJOR);
        _exit(1);
    }
    static FrontendPluginRegistry::Add<GradwrightAction> registration("gradwright",
                                                                      "gradients of annotated functions");
}

} // namespace
