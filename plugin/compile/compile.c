/*
 * compile.c - gw_compile and what is done with its result (contract: gradwright/compile.h).
 */
#include "gradwright/emitted/exported.h"
#include "plugin/compile/compile_private.h"
#include "plugin/request/request.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

struct gw_compiled {
    void *library;
    const gw_exported *table;
    char *messages;
    bool was_cached;
};

static _Thread_local char *last_error;

static void set_error(char *text) {
    free(last_error);
    last_error = text;
}

const char *gw_compile_error(void) { return last_error ? last_error : ""; }

/* ---- what is asked ---- */
static const struct {
    const char *name, *file;
    gw_language language;
} languages[] = {{"c", "source.c", GW_LANGUAGE_C},
                 {"c++", "source.cpp", GW_LANGUAGE_OTHER},
                 {"cuda", "source.cu", GW_LANGUAGE_CUDA}};

static bool set_kind(gw_job *j, gw_language language) {
    const char *device = j->options.device ? j->options.device : "cpu";
    const bool cpu = strcmp(device, "cpu") == 0;
    if (!cpu && strcmp(device, "cuda") != 0)
        return gw_job_fail(j, "error: unknown device '%s'; there are 'cpu' and 'cuda'", device);
    j->kind = cpu ? GW_JOB_CPU : GW_JOB_CUDA;
    if (language == GW_LANGUAGE_C) j->kind = GW_JOB_C;
    if (language == GW_LANGUAGE_OTHER) j->kind = GW_JOB_CXX;
    return true;
}

static bool read_file(gw_job *j) {
    const char *why;
    size_t count = 0;
    j->path = realpath(j->source, NULL);
    j->text = j->path ? gw_file_text(j->path, &count, &why) : NULL;
    if (!j->path) why = "there is no such file";
    if (!j->text) return gw_job_fail(j, "error: cannot read '%s': %s", j->source, why);
    int flags = 0;
    while (j->options.flags && j->options.flags[flags])
        flags++;
    return set_kind(j, gw_language_of(j->path, j->options.flags, flags));
}

static bool read_source(gw_job *j) {
    if (!j->source) return gw_job_fail(j, "error: no source is given");
    if (!j->options.language) return read_file(j);
    for (unsigned i = 0; i < sizeof languages / sizeof *languages; i++) {
        if (strcmp(languages[i].name, j->options.language) != 0) continue;
        j->text = gw_strdup(j->source);
        return set_kind(j, languages[i].language);
    }
    return gw_job_fail(j, "error: unknown language '%s'; there are 'c', 'c++' and 'cuda'", j->options.language);
}

static void find_cache(gw_job *j) {
    const char *given = j->options.cache, *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (given)
        j->cache = gw_strdup(given);
    else if (xdg && *xdg)
        j->cache = gw_format("%s/gradwright", xdg);
    else if (home && *home)
        j->cache = gw_format("%s/.cache/gradwright", home);
}

/* In the cache, so that what is made there can be renamed; where that may only be read, among what is
 * temporary. */
static bool make_work(gw_job *j) {
    const char *temporary = getenv("TMPDIR");
    if (j->cache && gw_place_folder(j->cache)) {
        j->work = gw_format("%s/work-XXXXXX", j->cache);
        if (mkdtemp(j->work)) return true;
        free(j->work);
    }
    free(j->cache);
    j->cache = NULL;
    j->work = gw_format("%s/gradwright-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (mkdtemp(j->work)) return true;
    free(j->work);
    j->work = NULL;
    return gw_job_fail(j, "error: there is no folder to work in: neither the cache nor TMPDIR can be written");
}

/* A text becomes a file, which the tool reads and shows in its messages. */
static bool write_source(gw_job *j) {
    if (!j->options.language) return true;
    for (unsigned i = 0; i < sizeof languages / sizeof *languages; i++)
        if (strcmp(languages[i].name, j->options.language) == 0)
            j->path = gw_format("%s/%s", j->work, languages[i].file);
    FILE *out = fopen(j->path, "w");
    bool good = out && fputs(j->text, out) >= 0;
    if (out) good = fclose(out) == 0 && good;
    return good || gw_job_fail(j, "error: cannot write '%s'", j->path);
}

/* ---- what it becomes ---- */
static gw_compiled *load(gw_job *j, const char *path, bool was_cached) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const gw_exported *(*exports)(void) = NULL;
    if (library) *(void **)&exports = dlsym(library, "gw_exports");
    if (!exports) {
        gw_job_fail(j, "error: cannot load '%s': %s", path, dlerror());
        if (library) dlclose(library);
        return NULL;
    }
    gw_compiled *c = gw_alloc(sizeof *c);
    *c = (gw_compiled){library, exports(), gw_strdup(j->messages.at ? j->messages.at : ""), was_cached};
    return c;
}

static gw_compiled *make(gw_job *j) {
    gw_compiled *c = NULL;
    if (!make_work(j) || !write_source(j)) return NULL;
    char *unit = gw_unit_write(j), *made = gw_format("%s/made.so", j->work);
    if (unit && gw_build(j, unit, made)) {
        char *kept = gw_cache_keep(j, made);
        c = load(j, kept, false);
        free(kept);
    }
    free(unit);
    free(made);
    return c;
}

static void forget(gw_job *j) {
    gw_list_free(&j->included);
    gw_text_free(&j->key);
    gw_text_free(&j->messages);
    free(j->path), free(j->text), free(j->cache), free(j->work), free(j->include);
}

gw_compiled *gw_compile(const char *source, const char *const *requests, const gw_compile_options *options) {
    gw_job j = {.source = source, .requests = requests};
    if (options) j.options = *options;
    j.include = gw_place_include();
    gw_compiled *c = NULL;
    if (read_source(&j)) {
        find_cache(&j);
        gw_cache_key(&j);
        char *found = gw_cache_find(&j);
        c = found ? load(&j, found, true) : make(&j);
        free(found);
    }
    if (!c)
        set_error(j.error ? j.error : gw_strdup("error: it failed without a word"));
    else
        free(j.error);
    gw_place_remove(j.work);
    forget(&j);
    return c;
}

int gw_compile_unit(const char *source, const char *const *requests, const gw_compile_options *options,
                    const char *folder) {
    gw_job j = {.source = source, .requests = requests};
    if (options) j.options = *options;
    j.include = gw_place_include();
    j.work = realpath(folder, NULL);
    if (!j.work) gw_job_fail(&j, "error: there is no folder '%s'", folder);
    char *unit = j.work && read_source(&j) && write_source(&j) ? gw_unit_write(&j) : NULL;
    const bool good = unit != NULL;
    free(unit);
    if (good)
        free(j.error);
    else
        set_error(j.error ? j.error : gw_strdup("error: it failed without a word"));
    forget(&j);
    return !good;
}

void gw_release(gw_compiled *handle) {
    if (!handle) return;
    dlclose(handle->library);
    free(handle->messages);
    free(handle);
}

/* ---- what it has ---- */
static bool ends_with(const char *name, const char *end) {
    size_t n = strlen(name), m = strlen(end);
    return n >= m + 2 && strcmp(name + n - m, end) == 0 && name[n - m - 1] == ':' && name[n - m - 2] == ':';
}

static void say_missing(const gw_compiled *handle, const char *name) {
    gw_text text = {0};
    gw_text_addf(&text, "error: there is no function '%s'; there are:", name);
    for (const gw_exported *x = handle->table; x->gw_name; x++)
        if (x->gw_call) gw_text_addf(&text, " %s", x->gw_name);
    set_error(text.at);
}

gw_loaded_function *gw_symbol(gw_compiled *handle, const char *name) {
    const gw_exported *found = NULL;
    bool several = false;
    for (const gw_exported *x = handle->table; x->gw_name; x++) {
        if (strcmp(x->gw_name, name) == 0) return x->gw_address;
        if (!ends_with(x->gw_name, name)) continue;
        several = found != NULL;
        found = x;
    }
    if (found && !several) return found->gw_address;
    say_missing(handle, name);
    return NULL;
}

const gw_exported *gw_symbols(const gw_compiled *handle) { return handle->table; }
const char *gw_compiled_messages(const gw_compiled *handle) { return handle->messages; }
int gw_compiled_was_cached(const gw_compiled *handle) { return handle->was_cached; }
