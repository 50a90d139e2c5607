import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import { CODINGS, type Coding, type CodingChoice, chooseCoding } from './choose-coding.ts';
import { codedTag, tagOfNotModified, takeCodedTags } from './coded-tags.ts';

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
function createEncoder(coding: Coding, length: number | undefined): Transform {
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

export interface CompressionOptions {
  /** Shorter responses are sent without a coding. */
  readonly minCodedBytes: number;
}

/** Compresses text at the gateway. Services send plain bytes, since connections to them are local and fast. */
export interface Compression {
  /**
   * Allows the response to this request to be coded, and replaces entity tags of coded bytes in the request by those
   * of the service. Must be called before the request is forwarded.
   */
  allow(request: IncomingMessage): void;
  /**
   * Sets the headers of a coded response and returns the encoder of its body; undefined if the body is sent
   * unchanged.
   *
   * @param headers of the response, before they are copied to the client
   */
  encode(request: IncomingMessage, status: number, headers: IncomingHttpHeaders): Transform | undefined;
}

/** The coding preferences in the headers of a request. */
interface CodingPreferences extends CodingChoice {
  /** `If-None-Match` as it was sent, if it names coded bytes. */
  readonly sentIfNoneMatch: string | undefined;
}

const PREFERENCES = Symbol('coding preferences');

/** A property, since a `WeakMap` of all requests in flight would cost each of them some microseconds. */
interface RequestWithPreferences extends IncomingMessage {
  [PREFERENCES]?: CodingPreferences;
}

const NO_PREFERENCES: CodingPreferences = { coding: undefined, refusesIdentity: false, sentIfNoneMatch: undefined };

export function createCompression({ minCodedBytes }: CompressionOptions): Compression {
  return {
    allow(request: RequestWithPreferences) {
      const sentIfNoneMatch = takeCodedTags(request.headers);
      const accepted = request.headers['accept-encoding'];
      request[PREFERENCES] =
        accepted === undefined && sentIfNoneMatch === undefined
          ? NO_PREFERENCES
          : { ...chooseCoding(accepted, CODINGS), sentIfNoneMatch };
    },

    encode(request: RequestWithPreferences, status, headers) {
      const preferences = request[PREFERENCES];
      if (preferences === undefined) return undefined;
      if (status === 304) {
        setTagOfNotModified(headers, preferences.sentIfNoneMatch);
        return undefined;
      }
      const length = lengthOf(headers);
      if (length === 0 || (length !== undefined && length < minCodedBytes && !preferences.refusesIdentity))
        return undefined;
      if (!isCompressible(status, headers)) return undefined;
      addVary(headers);
      const { coding } = preferences;
      if (coding === undefined) return undefined;
      setCodedHeaders(headers, coding);
      // HEAD has the headers of GET, and no body.
      return request.method === 'HEAD' ? undefined : createEncoder(coding, length);
    },
  };
}

const lengthOf = (headers: IncomingHttpHeaders): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length']);

function setCodedHeaders(headers: IncomingHttpHeaders, coding: Coding): void {
  headers['content-encoding'] = coding;
  if (headers.etag !== undefined) headers.etag = codedTag(headers.etag, coding);
  // Both describe the bytes without a coding.
  delete headers['content-length'];
  delete headers['accept-ranges'];
}

function setTagOfNotModified(headers: IncomingHttpHeaders, sentIfNoneMatch: string | undefined): void {
  if (sentIfNoneMatch === undefined) return;
  addVary(headers);
  if (headers.etag !== undefined) headers.etag = tagOfNotModified(headers.etag, sentIfNoneMatch);
}

function addVary(headers: IncomingHttpHeaders): void {
  if (headers.vary === undefined) headers.vary = 'Accept-Encoding';
  else if (!/(?:^|,)\s*(?:\*|accept-encoding)\s*(?:,|$)/i.test(headers.vary)) headers.vary += ', Accept-Encoding';
}

/** Types of text; all other types count as compressed already. */
const TEXT_TYPE = /^(?:text\/|application\/(?:json|x-ndjson|xml|javascript|yaml)$|[^;]+\+(?:json|xml|yaml)$)/i;

/**
 * Whether the body of a response may be coded: complete text that is not coded yet and that the service allows to
 * transform. Never parts (206), since a range counts bytes without a coding. A body with a digest (RFC 9530) is not
 * changed, so that the client can verify it and fetch the rest of it later.
 */
export function isCompressible(status: number, headers: IncomingHttpHeaders): boolean {
  if (status < 200 || status === 204 || status === 205 || status === 206 || status === 304) return false;
  if (headers['content-encoding'] !== undefined || headers['content-range'] !== undefined) return false;
  if (headers['repr-digest'] !== undefined || headers['content-digest'] !== undefined) return false;
  const type = headers['content-type']?.split(';', 1)[0]?.trim();
  if (type === undefined || !TEXT_TYPE.test(type)) return false;
  // An encoder would buffer events.
  if (type.toLowerCase() === 'text/event-stream') return false;
  return !/\bno-transform\b/i.test(headers['cache-control'] ?? '');
}
