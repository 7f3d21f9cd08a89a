#ifndef LIFESIGNAL_CJPEGSHIM_H
#define LIFESIGNAL_CJPEGSHIM_H

#include <stddef.h>
#include <stdint.h>

/// Pixels of a JPEG picture: three bytes each – red, green, blue –, row by row.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// To be freed by the caller.
  uint8_t *pixels;
} lifesignal_jpeg;

typedef enum {
  LIFESIGNAL_JPEG_OK = 0,
  LIFESIGNAL_JPEG_DAMAGED = 1,
  LIFESIGNAL_JPEG_TOO_LARGE = 2,
} lifesignal_jpeg_result;

/// Decodes a JPEG picture, reduced by a power of two as long as its shorter side keeps `side` pixels.
///
/// libjpeg tells of errors by a jump out of its functions, which Swift does not allow; here it ends.
lifesignal_jpeg_result lifesignal_jpeg_decode(
    const uint8_t *bytes, size_t count, uint32_t side, uint64_t pixel_limit,
    lifesignal_jpeg *result);

#endif
