#pragma pop_macro("volatile")
