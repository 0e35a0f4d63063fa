int gw_inner(void) { return gw_text(); }
