int gw_stray(void) { return 0; }
