#ifndef LIFESIGNAL_CZXINGSHIM_H
#define LIFESIGNAL_CZXINGSHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What the QR codes of a picture say.
typedef struct {
  /// How many codes could be read, at most 2: what matters is whether there is more than one.
  int count;
  /// The text of the first in UTF-8, to be freed by the caller; `NULL` where there is none.
  char *text;
  size_t length;
} lifesignal_qr;

/// Looks for QR codes in a picture of grey pixels, one byte each, row by row.
///
/// zxing-cpp tells of errors by exceptions, which Swift does not know; here they end.
/// Returns whether the picture could be looked through.
int lifesignal_qr_read(const uint8_t *pixels, int width, int height, lifesignal_qr *result);

#ifdef __cplusplus
}
#endif

#endif
