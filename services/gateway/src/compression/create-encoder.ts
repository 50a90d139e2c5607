import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import type { Coding } from './choose-coding.ts';

/** Higher levels make JSON hardly smaller; ten megabytes take at most a tenth of a second. */
const GZIP_LEVEL = 4;
const BROTLI_QUALITY = 3;
const ZSTD_LEVEL = 3;
/** 256 KiB of memory for each response in flight. */
const BROTLI_WINDOW_BITS = 18;

/**
 * A stream that applies the coding.
 *
 * @param length number of bytes to encode; where it is not known, each write is flushed at once, so that rows of a
 *   slow list are not delayed
 */
export function createEncoder(coding: Coding, length: number | undefined): Transform {
  switch (coding) {
    case 'gzip':
      return createGzip({ level: GZIP_LEVEL, ...(length === undefined && { flush: constants.Z_SYNC_FLUSH }) });
    case 'br':
      return createBrotliCompress({
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
          [constants.BROTLI_PARAM_SIZE_HINT]: length ?? 0,
        },
        ...(length === undefined && { flush: constants.BROTLI_OPERATION_FLUSH }),
      });
    case 'zstd':
      return createZstdCompress({
        params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL },
        ...(length === undefined ? { flush: constants.ZSTD_e_flush } : { pledgedSrcSize: length }),
      });
    default:
      return coding satisfies never;
  }
}
