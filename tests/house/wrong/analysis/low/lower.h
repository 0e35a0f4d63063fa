int gw_entry(int x);
