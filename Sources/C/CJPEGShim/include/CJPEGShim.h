#ifndef LIFESIGNAL_CJPEGSHIM_H
#define LIFESIGNAL_CJPEGSHIM_H

#include <stddef.h>
#include <stdint.h>

/// A decoded JPEG picture: three bytes per pixel (red, green, blue), row by row.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// Must be freed by the caller.
  uint8_t *pixels;
} lifesignal_jpeg;

typedef enum {
  LIFESIGNAL_JPEG_OK = 0,
  LIFESIGNAL_JPEG_DAMAGED = 1,
  LIFESIGNAL_JPEG_TOO_LARGE = 2,
} lifesignal_jpeg_result;

/// Decodes a JPEG picture, reduced by the largest power of two, up to 8, that leaves both sides at
/// least `side` pixels long.
///
/// libjpeg reports errors by longjmp, which must not cross Swift code, so it ends here.
lifesignal_jpeg_result lifesignal_jpeg_decode(
    const uint8_t *bytes, size_t count, uint32_t side, uint64_t pixel_limit,
    lifesignal_jpeg *result);

#endif
