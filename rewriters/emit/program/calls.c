/*
 * emit/program/calls.c - calls of a program that are one call of the runtime (gradwright/program.h): a table of
 * their texts, forward and backward.
 *
 * In a text %r is the run, %0 the first operand, %n the name of the second, %q that in quotes or null, %c the
 * type of cells, %@ the name that the call has, %l where it stands; %a says that tangents go along. What a call
 * says, other than its error, is the text's value; where the text begins with !, its error is. %t is the call's
 * own text, in which $1 is the first operand and $oNAME; a parameter.
 */
#include "analysis/ir/device.h"
#include "rewriters/emit/program/program_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    gw_device what;
    const char *forward, *backward;
} texts[] = {
    {GW_DEVICE_STREAM, "gw_program_stream(%r, %0, %1)", NULL},
    {GW_DEVICE_EVENT, "gw_program_event(%r, %0)", NULL},
    {GW_DEVICE_RECORD, "gw_program_record(%r, %0, %1)", "gw_program_unrecord(%r, %0, %1)"},
    {GW_DEVICE_WAIT_EVENT, "gw_program_wait(%r, %0, %1)", "gw_program_unwait(%r, %0, %1)"},
    {GW_DEVICE_SYNC_EVENT, "gw_program_sync_event(%r, %0)", NULL},
    {GW_DEVICE_INTEGERS, "gw_program_integers(%r, %0)", NULL},
    {GW_DEVICE_UNMOVED, "gw_program_unmoved(%r, %0, %1, %2, %3, \"%n\")", NULL},
    {GW_DEVICE_PAIR, "gw_program_pair(%r, %0, %1, %q)", NULL},
    {GW_DEVICE_BESIDE, "gw_program_beside(%r, %0, %1)", NULL},
    {GW_DEVICE_TEXTURE, "gw_program_texture_make(%r, %0, %1, %2, %3, %4, %5, %6)", NULL},
    {GW_DEVICE_TEXELS, "gw_program_texels_are(%r, %0, %1, %2, %3, %4)", NULL},
    {GW_DEVICE_TEXELS_OF, "gw_program_texels_of(%r, %0, %1)", NULL},
    {GW_DEVICE_STOP, "gw_program_stop(%r, \"%l\")", NULL},
    {GW_DEVICE_COPY_2D, "!gw_program_copy_2d%a<%c>(%r, %0, %1, %2, %3, %4, %5, %6, %7, true)",
     "gw_program_copy_2d_back<%c>(%r, %0, %1, %2, %3, %4, %5, %6, %7, true)"},
    {GW_DEVICE_COPY_2D_QUEUED, "!gw_program_copy_2d%a<%c>(%r, %0, %1, %2, %3, %4, %5, %6, %7, false)",
     "gw_program_copy_2d_back<%c>(%r, %0, %1, %2, %3, %4, %5, %6, %7, false)"},
    {GW_DEVICE_SET_2D, "!gw_program_set_2d%a<%c>(%r, %0, %1, %2, %3, %4, %5, true)",
     "gw_program_set_2d_back<%c>(%r, %0, %1, %3, %4, %5)"},
    {GW_DEVICE_SET_2D_QUEUED, "!gw_program_set_2d%a<%c>(%r, %0, %1, %2, %3, %4, %5, false)",
     "gw_program_set_2d_back<%c>(%r, %0, %1, %3, %4, %5)"},
    {GW_DEVICE_COPY_3D, "!gw_program_copy_3d%a<%c>(%r, {%0, %1, %2}, {%3, %4, %5}, {%6, %7, %8}, %9, true)",
     "gw_program_copy_3d_back<%c>(%r, {%0, %1, %2}, {%3, %4, %5}, {%6, %7, %8}, %9)"},
    {GW_DEVICE_COPY_3D_QUEUED,
     "!gw_program_copy_3d%a<%c>(%r, {%0, %1, %2}, {%3, %4, %5}, {%6, %7, %8}, %9, false)",
     "gw_program_copy_3d_back<%c>(%r, {%0, %1, %2}, {%3, %4, %5}, {%6, %7, %8}, %9)"},
    {GW_DEVICE_SET_3D, "!gw_program_set_3d%a<%c>(%r, {%0, %1, %2}, %3, {%4, %5, %6}, %7, true)",
     "gw_program_set_3d_back<%c>(%r, {%0, %1, %2}, {%4, %5, %6}, %7)"},
    {GW_DEVICE_SET_3D_QUEUED, "!gw_program_set_3d%a<%c>(%r, {%0, %1, %2}, %3, {%4, %5, %6}, %7, false)",
     "gw_program_set_3d_back<%c>(%r, {%0, %1, %2}, {%4, %5, %6}, %7)"},
    {GW_DEVICE_SELECT, "gw_program_select(%r, %0)", NULL},
    {GW_DEVICE_LIMIT, "!cudaFuncSetAttribute(%@, (cudaFuncAttribute)%0, %1)", NULL},
    {GW_DEVICE_ELAPSED, "gw_program_elapsed(%r, %0, %1)", NULL},
    {GW_DEVICE_SYMBOL, "gw_program_symbol(%r, %@, \"%@\")", NULL},
    {GW_DEVICE_HANDLE, "(const void *)::%@", NULL},
    {GW_DEVICE_HANDLE_AT, "(const void *)::%@[%0]", NULL},
    {GW_DEVICE_VARIABLE, "gw_program_variable(%r, ::%@, \"%@\")", NULL},
    {GW_DEVICE_CURRENT, "gw_program_current(%r)", NULL},
    {GW_DEVICE_COUNTED, "gw_program_counted(%r)", NULL},
    {GW_DEVICE_ATTRIBUTE, "gw_program_attribute(%r, (cudaDeviceAttr)%0, %1)", NULL},
    {GW_DEVICE_PRIORITY, "gw_program_priority(%r, %0)", NULL},
    {GW_DEVICE_FREE_MEMORY, "gw_program_free_memory(%r, %0)", NULL},
    {GW_DEVICE_PROPERTY, "gw_program_property(%r, %0, &cudaDeviceProp::%@, %1)", NULL},
    {GW_DEVICE_BLOCKS, "gw_program_blocks(%r, %@, %0, %1)", NULL},
    {GW_DEVICE_FUNCTION, "gw_program_function(%r, %@, %0)", NULL},
    {GW_DEVICE_KIND, "gw_program_kind(%r, %0, %1)", NULL},
    {GW_DEVICE_TEXT, "cudaGetErrorString((cudaError_t)%0)", NULL},
    {GW_DEVICE_ASKED, "(size_t)%t", NULL},
    {GW_DEVICE_BEST, "gw_program_best(%r, %@, %0, %1, %2)", NULL},
};

const char *gw_emit_program_cell(const gw_emitter *e, gw_op op) {
    static const char *const cells[] = {"char",   "float",         "double",
                                        "__half", "__nv_bfloat16", "gw_program_byte"};
    const uint32_t last = (uint32_t)strlen(gw_device_rows[gw_op_at(e->f, op)->attr].operands) - 1;
    int64_t element = 0;
    gw_const_int(e->f, gw_operand(e->f, op, last), &element);
    return cells[element];
}

/* What an operand is cast to; of an address, to cells of the call's. */
static char *type_of(const gw_emitter *e, gw_op op, uint32_t i) {
    switch (gw_device_rows[gw_op_at(e->f, op)->attr].operands[i]) {
    case 's':
        return gw_strdup("(cudaStream_t)");
    case 'e':
        return gw_strdup("(cudaEvent_t)");
    case 'a':
        if (gw_op_at(e->f, op)->attr == GW_DEVICE_PAIR) return gw_strdup("(void *)");
        if (gw_op_at(e->f, op)->attr == GW_DEVICE_BESIDE) return gw_strdup("");
        if (gw_op_at(e->f, op)->attr == GW_DEVICE_INTEGERS) return gw_strdup("");
        if (gw_op_at(e->f, op)->attr == GW_DEVICE_TEXELS) return gw_strdup("");
        if (gw_op_at(e->f, op)->attr == GW_DEVICE_TEXELS_OF) return gw_strdup("");
        if (gw_op_at(e->f, op)->attr == GW_DEVICE_TEXTURE) return gw_strdup("(const void *)");
        if (gw_op_at(e->f, op)->attr == GW_DEVICE_UNMOVED) return gw_strdup("(const void *)");
        return gw_format("(%s *)", gw_emit_program_cell(e, op));
    default:
        return gw_strdup("");
    }
}

static char *operand(gw_emitter *e, gw_op op, uint32_t i) {
    int64_t number;
    const bool known = gw_const_int(e->f, gw_operand(e->f, op, i), &number);
    const uint16_t what = gw_op_at(e->f, op)->attr;
    const bool is_kind = (what == GW_DEVICE_COPY_2D || what == GW_DEVICE_COPY_2D_QUEUED) && i == 6;
    char *type = is_kind ? gw_strdup("(cudaMemcpyKind)") : type_of(e, op, i);
    if (*type && known && !is_kind) {
        free(type);
        return gw_strdup("nullptr");
    }
    char *text = gw_emit_text(e, gw_operand(e->f, op, i), *type ? GW_IN_EXACT : GW_IN_ASSIGN,
                              *type ? GW_PREC_UNARY : GW_PREC_SELECT),
         *made = gw_format("%s%s", type, text);
    free(text), free(type);
    return made;
}

static char *name_of(gw_emitter *e, gw_op op) {
    const gw_func *kernel = gw_func_find(e->session, gw_op_at(e->f, op)->callee);
    if (!kernel) return gw_strdup(gw_cstr(e->session, gw_op_at(e->f, op)->callee));
    return gw_emit_at(kernel, kernel->qualified);
}

/* The callee of ASKED. */
static void add_question(gw_emitter *e, gw_op op, gw_text *out) {
    for (const char *c = gw_cstr(e->session, gw_op_at(e->f, op)->callee); *c; c++) {
        if (c[0] == '$' && c[1] == 'o') {
            const size_t n = strcspn(c + 2, ";");
            gw_text_add(out, gw_emit_parameter_called(e, c + 2, n));
            c += n + 2;
        } else if (*c == '$' && *++c != '$') {
            const gw_value v = gw_operand(e->f, op, (uint32_t)(*c - '1'));
            char *text = gw_emit_text(e, v, GW_IN_EXACT, GW_PREC_UNARY);
            gw_text_add(out, text);
            free(text);
        } else {
            gw_text_addf(out, "%c", *c);
        }
    }
}

static void add_part(gw_emitter *e, gw_op op, char which, gw_text *out) {
    const gw_loc loc = gw_op_at(e->f, e->statement)->loc;
    char *text = NULL;
    int64_t null;
    switch (which) {
    case 'r':
        gw_text_add(out, gw_cstr(e->session, e->program));
        return;
    case 'l':
        gw_text_addf(out, "%s:%u", gw_emit_file_name(e->session, loc.file), loc.line);
        return;
    case 'c':
        gw_text_add(out, gw_emit_program_cell(e, op));
        return;
    case 'a':
        gw_text_add(out, gw_emit_call_is_along(e, op) ? "_along" : "");
        return;
    case 'n':
        gw_text_add(out, gw_cstr(e->session, gw_value_at(e->f, gw_operand(e->f, op, 1))->name));
        return;
    case 'q': /* the same in quotes, if it is not null */
        if (!gw_const_int(e->f, gw_operand(e->f, op, 1), &null))
            gw_text_addf(out, "\"%s\"", gw_cstr(e->session, gw_value_at(e->f, gw_operand(e->f, op, 1))->name));
        else
            gw_text_add(out, "nullptr");
        return;
    case 't':
        add_question(e, op, out);
        return;
    case '@':
        text = name_of(e, op);
        break;
    default:
        text = operand(e, op, (uint32_t)(which - '0'));
        break;
    }
    gw_text_add(out, text);
    free(text);
}

static char *filled(gw_emitter *e, gw_op op, const char *text) {
    gw_text out = {0};
    for (const char *c = text; *c; c++) {
        if (*c == '%')
            add_part(e, op, *++c, &out);
        else
            gw_text_addf(&out, "%c", *c);
    }
    return out.at;
}

bool gw_emit_program_call(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const bool back = o->flags & GW_OP_BACK;
    const char *text = NULL;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].what == o->attr) text = back ? texts[i].backward : texts[i].forward;
    if (!text) return false;
    const bool checked = *text == '!';
    char *call = filled(e, op, text + checked);
    if (checked) {
        char *where = filled(e, op, "\"a call at %l\"");
        gw_emit_line(e, "gw_program_check(%s, %s, %s);", gw_cstr(e->session, e->program), call, where);
        free(where), free(call);
        return true;
    }
    const bool says = !back && strlen(gw_device_rows[o->attr].results) > 1;
    const gw_value v = says ? gw_result(e->f, op, 0) : 0;
    if (says && e->plan.values[v].needed) {
        gw_emit_assign(e, gw_emit_variable(&e->plan, v), call);
    } else if (!gw_device_rows[o->attr].asks) {
        gw_emit_line(e, "%s;", call);
    }
    free(call);
    return true;
}
