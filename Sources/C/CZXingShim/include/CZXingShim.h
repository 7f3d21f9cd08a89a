#ifndef LIFESIGNAL_CZXINGSHIM_H
#define LIFESIGNAL_CZXINGSHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The QR codes found in a picture.
typedef struct {
  /// The number of readable codes, at most 2: it only matters whether there is more than one.
  int count;
  /// The text of the first code in UTF-8, to be freed by the caller; `NULL` if there is none.
  char *text;
  size_t length;
} lifesignal_qr;

/// Finds QR codes in a picture of grey pixels, one byte each, row by row.
///
/// zxing-cpp reports errors as exceptions, which Swift can't handle, so they are caught here.
/// Returns whether the picture could be searched.
int lifesignal_qr_read(const uint8_t *pixels, int width, int height, lifesignal_qr *result);

#ifdef __cplusplus
}
#endif

#endif
