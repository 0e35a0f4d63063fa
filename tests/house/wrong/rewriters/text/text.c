int gw_text(void) { return 0; }
