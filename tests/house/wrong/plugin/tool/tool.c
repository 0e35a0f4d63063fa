#include "analysis/high/high.h"
int gw_tool(void) { return gw_high(1); }
