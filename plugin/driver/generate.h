/*
 * generate.h - source and requests in, text of the gradient out: what the command and the plugin share.
 */
#ifndef GW_GENERATE_H
#define GW_GENERATE_H
#include "analysis/ir/passes.h"
#include "plugin/driver/options.h"
#include "plugin/request/request.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Runs the passes as the settings say; the text is in run->output, what there is to say in the session's
 * diagnostics. `run` is zeroed before; free it with gw_generate_free. */
bool gw_generate(gw_run *run, const gw_settings *t);
/* Puts the results of a run that ended well or not where the settings want them: the SARIF log always, the rule of
 * -MD, the report and run->output after a good run. False after a bad run or a diagnostic; then an older gradient is as it was. */
bool gw_generate_write(gw_run *run, const gw_settings *t, bool good);
void gw_generate_free(gw_run *run);

/* Where the gradient of a source goes: dir/x.cu -> dir/x.grad.cuh. The caller frees it. */
char *gw_generate_output_name(const char *source);

/* dependencies.c: the rule of -MD for make and ninja: `target` depends on the source's includes. */
void gw_dependencies_text(const gw_session *s, const gw_settings *t, const char *target, gw_text *out);
/* sarif.c: what the session said as a SARIF 2.1.0 log. */
void gw_sarif_text(const gw_session *s, gw_text *out);

/* passes.c */
const char *gw_pass_name(unsigned index); /* NULL after the last */

/* request_file.c: requests of the command line and of files; false after a diagnostic at a file's line */
bool gw_requests_add(gw_session *s, const gw_settings *t);

/* output.c: the file becomes the text, whole or not at all; a file that has this text already is not
 * touched. NULL, or what went wrong (caller frees). */
char *gw_output_write(const char *path, const char *text, size_t count);
/* Both names lead to one file on disk, or would if there was one; devices and pipes are never the same. */
bool gw_output_same_file(const char *a, const char *b);

#ifdef __cplusplus
}
#endif
#endif
