/* language.h - which language a source is read as: what the flags say last, else its name. No libclang. */
#ifndef GW_LANGUAGE_H
#define GW_LANGUAGE_H
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum gw_language { GW_LANGUAGE_OTHER, GW_LANGUAGE_C, GW_LANGUAGE_CUDA } gw_language;

gw_language gw_language_of(const char *source, const char *const *flags, int count);
bool gw_language_is_given(const char *const *flags, int count); /* -x, in any of its spellings */

#ifdef __cplusplus
}
#endif
#endif
