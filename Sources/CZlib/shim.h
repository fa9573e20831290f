#pragma once
// Input is never written to.
#define ZLIB_CONST
#include <zlib.h>

// The initializers are macros, which cannot be imported. 16 is added to the window's 15 bits for gzip's frame.

static inline int aviary_gzip_deflate_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int aviary_raw_deflate_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

static inline int aviary_gzip_inflate_init(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}
