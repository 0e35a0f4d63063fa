/* rows.h - the rows of one table, which GW_OPTION_ROWS names: enum option_id, and rows[OPTION_COUNT]. */
enum option_id {
#define GW_OPTION(ID, name, brief, value, where, help) OPTION_##ID,
#include GW_OPTION_ROWS
#undef GW_OPTION
    OPTION_COUNT
};
static const gw_option_row rows[OPTION_COUNT] = {
#define GW_OPTION(ID, name, brief, value, where, help) {name, brief, value, GW_OPTION_##where, help},
#include GW_OPTION_ROWS
#undef GW_OPTION
};
