// zxing-cpp has no interface for C; CZXingShim gives it one.
