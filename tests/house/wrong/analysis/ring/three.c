int gw_three(void) { return gw_one(); }
