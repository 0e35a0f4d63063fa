/* same.h - whether two sessions are the same but for handles; compared field by field, not by their text. */
#ifndef SAME_H
#define SAME_H
#include "analysis/ir/ir.h"
/* NULL, or the name of what differs. */
const char *same_session(const gw_session *a, const gw_session *b);
#endif
