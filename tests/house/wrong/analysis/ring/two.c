int gw_two(void) { return gw_three(); }
