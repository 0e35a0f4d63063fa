int gw_one(void) { return gw_two(); }
