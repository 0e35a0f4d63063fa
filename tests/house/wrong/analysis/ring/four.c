int gw_four(void) { return gw_one(); }
