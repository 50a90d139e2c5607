import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { type Coding, type CodingChoice, chooseCoding } from './choose-coding.ts';
import { codedTag, tagOfNotModified, takeCodedTags } from './coded-tags.ts';
import { createEncoder } from './create-encoder.ts';
import { isCompressible } from './is-compressible.ts';

export interface CompressionOptions {
  /** What is offered, the best first; none switches compression off. */
  readonly codings: readonly Coding[];
  /** Answers with fewer bytes go out as they are. */
  readonly minBytes: number;
}

/** Compression of text at the gateway: services send plain bytes over connections that cost nothing. */
export interface Compression {
  /**
   * Lets the answer to this request be coded. Its entity tags of coded bytes become those of the service; must be
   * called before the request is forwarded.
   */
  allow(request: IncomingMessage): void;
  /**
   * Sets the headers of the coded answer and returns what the bytes must go through; undefined where they go out
   * as they are.
   *
   * @param headers of the answer, before they are copied to the client
   */
  encode(request: IncomingMessage, status: number, headers: IncomingHttpHeaders): Transform | undefined;
}

/** What a request says about coded bytes. */
interface Wishes extends CodingChoice {
  /** `If-None-Match` as it was sent, where it names coded bytes. */
  readonly sentIfNoneMatch: string | undefined;
}

const WISHES = Symbol('wishes about coded bytes');

/** A property, because a `WeakMap` of all requests under way would cost each of them some microseconds. */
interface RequestWithWishes extends IncomingMessage {
  [WISHES]?: Wishes;
}

const NO_WISHES: Wishes = { coding: undefined, refusesIdentity: false, sentIfNoneMatch: undefined };

export function createCompression({ codings, minBytes }: CompressionOptions): Compression {
  return {
    allow(request: RequestWithWishes) {
      const sentIfNoneMatch = takeCodedTags(request.headers);
      const accepted = request.headers['accept-encoding'];
      request[WISHES] =
        accepted === undefined && sentIfNoneMatch === undefined
          ? NO_WISHES
          : { ...chooseCoding(accepted, codings), sentIfNoneMatch };
    },

    encode(request: RequestWithWishes, status, headers) {
      const wishes = request[WISHES];
      if (wishes === undefined) return undefined;
      if (status === 304) {
        setTagOfNotModified(headers, wishes.sentIfNoneMatch);
        return undefined;
      }
      if (codings.length === 0 || !isCompressible(status, headers)) return undefined;
      const length = lengthOf(headers);
      if (length === 0 || (length !== undefined && length < minBytes && !wishes.refusesIdentity)) return undefined;
      addVary(headers);
      const { coding } = wishes;
      if (coding === undefined) return undefined;
      setCodedHeaders(headers, coding);
      // HEAD answers as GET would, without the bytes.
      return request.method === 'HEAD' ? undefined : createEncoder(coding, length);
    },
  };
}

const lengthOf = (headers: IncomingHttpHeaders): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length']);

function setCodedHeaders(headers: IncomingHttpHeaders, coding: Coding): void {
  headers['content-encoding'] = coding;
  if (headers.etag !== undefined) headers.etag = codedTag(headers.etag, coding);
  // They are about bytes that the client does not get.
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
