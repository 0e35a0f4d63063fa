int gw_high(int x);
