// zxing-cpp has no C interface; CZXingShim provides one.
