/*
 * frontend/unit/rule.c - which functions have derivatives of the user's, or none by his word.
 *
 * The list is made once, before anything is lowered (frontend/request/rule.c).
 */
#include "plugin/frontend/unit/unit.h"

uint32_t gw_front_rule_of(const gw_unit *u, CXCursor function) {
    for (uint32_t i = 0; i < u->rules.count; i++)
        if (clang_equalCursors(u->rules.at[i].function, function)) return i;
    return UINT32_MAX;
}

bool gw_front_has_rule(const gw_unit *u, CXCursor function) {
    return gw_front_rule_of(u, clang_getCanonicalCursor(function)) != UINT32_MAX;
}

CXCursor gw_front_rule_body(const gw_unit *u, gw_str function) {
    for (uint32_t i = 0; i < u->rules.count; i++) {
        const gw_rule *rule = &u->session->rules.at[u->rules.at[i].rule];
        if (rule->function == function && !rule->is_nondifferentiable)
            return clang_getCursorDefinition(u->rules.at[i].function);
    }
    return clang_getNullCursor();
}

const gw_rule *gw_front_device_rule_of(gw_unit *u, CXCursor function) {
    const bool none = clang_Cursor_isNull(function);
    uint32_t known = none ? UINT32_MAX : gw_front_rule_of(u, clang_getCanonicalCursor(function));
    const gw_rule *rule = known == UINT32_MAX ? NULL : &u->session->rules.at[u->rules.at[known].rule];
    return rule && rule->stream ? rule : NULL;
}
