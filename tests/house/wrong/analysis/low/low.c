/* calls gw_high: a comment is no call */
#include "analysis/high/high.h"
int gw_low(int x) { return
    gw_high(x); }
int gw_from(int x) { return gw_entry(x); }
const char *gw_said(void) { return "gw_high(1)"; }
