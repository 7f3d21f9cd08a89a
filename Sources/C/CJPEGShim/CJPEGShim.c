#include "CJPEGShim.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

/// The maximum number of scans. A progressive JPEG can describe each pixel any number of times, but
/// no camera uses this many scans.
enum { scan_limit = 100 };

struct decoder {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  jmp_buf end;
  // Changed between setjmp and longjmp, so it must be in memory, not in a register.
  uint8_t *pixels;
};

static void fail(j_common_ptr jpeg) {
  longjmp(((struct decoder *)jpeg->client_data)->end, 1);
}

static void be_silent(j_common_ptr jpeg) { (void)jpeg; }

static void limit_scans(j_common_ptr jpeg) {
  if (((j_decompress_ptr)jpeg)->input_scan_number > scan_limit) fail(jpeg);
}

lifesignal_jpeg_result lifesignal_jpeg_decode(
    const uint8_t *bytes, size_t count, uint32_t side, uint64_t pixel_limit,
    lifesignal_jpeg *result) {
  struct decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return LIFESIGNAL_JPEG_DAMAGED;
  struct jpeg_decompress_struct *jpeg = &decoder->jpeg;
  volatile lifesignal_jpeg_result outcome = LIFESIGNAL_JPEG_DAMAGED;

  jpeg->err = jpeg_std_error(&decoder->errors);
  jpeg->client_data = decoder;
  decoder->errors.error_exit = fail;
  decoder->errors.output_message = be_silent;
  if (setjmp(decoder->end)) goto end;

  // Clears everything except the error manager and the client data.
  jpeg_create_decompress(jpeg);
  decoder->progress.progress_monitor = limit_scans;
  jpeg->progress = &decoder->progress;
  jpeg_mem_src(jpeg, bytes, count);
  jpeg_read_header(jpeg, TRUE);
  if ((uint64_t)jpeg->image_width * jpeg->image_height > pixel_limit) {
    outcome = LIFESIGNAL_JPEG_TOO_LARGE;
    goto end;
  }
  jpeg->out_color_space = JCS_RGB;
  jpeg->scale_denom = 1;
  while (jpeg->scale_denom < 8 && jpeg->image_width / (2 * jpeg->scale_denom) >= side &&
         jpeg->image_height / (2 * jpeg->scale_denom) >= side) {
    jpeg->scale_denom *= 2;
  }
  jpeg_start_decompress(jpeg);
  size_t stride = (size_t)jpeg->output_width * 3;
  decoder->pixels = malloc(stride * jpeg->output_height);
  if (!decoder->pixels || jpeg->output_components != 3) goto end;
  while (jpeg->output_scanline < jpeg->output_height) {
    JSAMPROW row = decoder->pixels + stride * jpeg->output_scanline;
    jpeg_read_scanlines(jpeg, &row, 1);
  }
  result->width = jpeg->output_width;
  result->height = jpeg->output_height;
  result->pixels = decoder->pixels;
  decoder->pixels = NULL;
  outcome = LIFESIGNAL_JPEG_OK;

end:
  jpeg_destroy_decompress(jpeg);
  free(decoder->pixels);
  free(decoder);
  return outcome;
}
