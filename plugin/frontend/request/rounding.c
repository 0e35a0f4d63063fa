/*
 * frontend/request/rounding.c - what a rounding error is bounded of: functions of the host, whose mathematics
 * rounding.def knows; and the model, a function that is there.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/query.h"
#include "plugin/frontend/request/request.h"

static bool has_model(gw_unit *u, const gw_request *r) {
    gw_session *s = u->session;
    gw_request_target target;
    gw_cursors found = {0};
    if (!r->model) return true;
    const char *wrong = gw_request_read_target(s, r->model, &target);
    if (!wrong) gw_front_find_named(u, &target, &found);
    if (!found.count)
        gw_diag(s, GW_DIAG_BAD_REQUEST, r->loc, gw_cstr(s, r->text),
                "behind 'by' stands a function, double model(double adjoint, double value, "
                "const gw_error_row *row)");
    const bool good = found.count != 0;
    gw_vec_free(&found);
    return good;
}

bool gw_front_check_rounding(gw_unit *u, const gw_request *r) {
    const gw_func *f = r->func;
    if (f->kind == GW_FUNC_HOST && !f->template_head && !gw_is_program(f)) return has_model(u, r);
    gw_diag(u->session, GW_DIAG_UNSUPPORTED, r->loc,
            "the rounding error of a kernel, device function, template or function that launches kernels",
            "ask for that of a function of the host which does what one thread does");
    return false;
}
