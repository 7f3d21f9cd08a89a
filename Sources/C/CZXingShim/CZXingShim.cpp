// Without this, versions before 2 return wide-character text.
#define ZX_USE_UTF8 1

#include "CZXingShim.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include <ReadBarcode.h>

// Renamed in version 2.2.
#if __has_include(<ReaderOptions.h>)
using Options = ZXing::ReaderOptions;
#else
using Options = ZXing::DecodeHints;
#endif

extern "C" int lifesignal_qr_read(const uint8_t *pixels, int width, int height,
                                  lifesignal_qr *result) {
  *result = {};
  try {
    Options options;
    options.setFormats(ZXing::BarcodeFormat::QRCode);
    options.setTryHarder(true);
    options.setTryRotate(true);
    options.setTryDownscale(true);
    options.setMaxNumberOfSymbols(2);
    const ZXing::ImageView image(pixels, width, height, ZXing::ImageFormat::Lum);
    for (const auto &code : ZXing::ReadBarcodes(image, options)) {
      if (!code.isValid()) continue;
      result->count += 1;
      if (result->text) continue;
      const std::string text = code.text();
      result->text = static_cast<char *>(std::malloc(text.size() + 1));
      if (!result->text) return 0;
      std::memcpy(result->text, text.data(), text.size());
      result->length = text.size();
    }
    return 1;
  } catch (...) {
    std::free(result->text);
    *result = {};
    return 0;
  }
}
