import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type Readable, Writable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { isPlatformError, PlatformError } from '@lintel/errors';
import { storedContentType } from '../references/served-content-type.ts';
import { IncomingContent, type IncomingContentOptions } from './incoming-content.ts';
import { breakWith } from './receive-raw.ts';
import { TransportPadding } from './transport-padding.ts';

/** Name of the part with the file. */
const FILE_PART = 'file';
/** Maxima; a body that exceeds one is refused, since the parser does not read the rest. */
const LIMITS = { parts: 200, fields: 100, fieldSize: 1024 * 1024 };

export interface FilePart {
  /** The file name of the part, without folders; empty if it has none. */
  readonly name: string;
  readonly contentType: string;
  readonly content: Readable;
}

/**
 * Passes the first part named `file` to `store` while it arrives; other parts are skipped. The last bytes of the part
 * are passed on only when the whole body has been found to be well formed.
 *
 * @param assertName throws where the name of the part is refused; nothing of its content is read then
 */
export async function receiveMultipart<T>(
  request: IncomingMessage,
  options: IncomingContentOptions,
  assertName: (name: string) => void,
  store: (part: FilePart) => Promise<T>,
): Promise<T> {
  const parser = createParser(request);
  const sentType = followPartTypes(parser);
  let stored: Promise<T> | undefined;
  let arriving: Readable | undefined;
  const parsed = new Promise<void>((resolve, reject) => {
    const approve = async (): Promise<void> => {
      await parsed;
      await options.approve();
    };
    parser.on('file', (field, part, fileName) => {
      // The parser reports a body that ends too early on the part and on itself; the latter counts.
      part.on('error', (error) => arriving?.destroy(malformed(error)));
      if (field !== FILE_PART || stored !== undefined) {
        part.resume();
        return;
      }
      const name = fileName ?? '';
      assertName(name);
      arriving = contentOf(part, { ...options, approve });
      stored = store({ name, contentType: storedContentType(sentType()), content: arriving });
      stored.catch(reject);
    });
    parser.on('partsLimit', () => reject(tooMany('parts')));
    parser.on('fieldsLimit', () => reject(tooMany('fields')));
    parser.on('finish', resolve);
    parser.on('error', reject);
    const feeding = feed(parser, boundaryOf(request));
    feeding.on('error', reject);
    breakWith(request, feeding);
    request.pipe(feeding);
  });
  try {
    await parsed;
    if (stored !== undefined) return await stored;
  } catch (error) {
    const failure = isPlatformError(error) ? error : malformed(error);
    request.unpipe();
    parser.destroy();
    arriving?.destroy(failure);
    // No write may be in progress when the error is sent; the reason of its failure is known already.
    await stored?.catch(() => undefined);
    throw failure;
  }
  throw new PlatformError('FILE_INVALID_UPLOAD', `The multipart body has no part named "${FILE_PART}"`);
}

function createParser(request: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      // A part named `file` is the file, with or without a file name.
      isPartAFile: (field, _contentType, fileName) => field === FILE_PART || fileName !== undefined,
      limits: LIMITS,
    });
  } catch (error) {
    throw malformed(error);
  }
}

/**
 * A stream into the parser. Errors that the parser and its listeners throw from `write` would end the process where a
 * pipe calls it: here they become errors of this stream. It passes one chunk at a time, so that none is parsed later.
 */
function feed(parser: BusboyInstance, boundary: string): Writable {
  const padding = new TransportPadding(boundary);
  return new Writable({
    write(chunk: Buffer, _encoding, callback) {
      try {
        const bytes = padding.push(chunk);
        if (bytes.length === 0) callback();
        else parser.write(bytes, callback);
      } catch (error) {
        callback(error as Error);
      }
    },
    final(callback) {
      try {
        parser.write(padding.end());
        parser.end();
        callback();
      } catch (error) {
        callback(error as Error);
      }
    },
  });
}

/** The parser has refused a body without one. */
const boundaryOf = ({ headers }: IncomingMessage): string => {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(headers['content-type'] ?? '') ?? [];
  return quoted ?? plain ?? '';
};

/** The content fails with the part. Its error has a listener even where the content is refused before it is read. */
function contentOf(part: BusboyFileStream, options: IncomingContentOptions): Readable {
  const content = new IncomingContent(options);
  content.on('error', () => part.unpipe(content).resume());
  part.pipe(content);
  return content;
}

const malformed = (cause: unknown): PlatformError =>
  new PlatformError('FILE_INVALID_UPLOAD', 'The multipart body is malformed', { cause });

const tooMany = (what: 'parts' | 'fields'): PlatformError =>
  new PlatformError('FILE_INVALID_UPLOAD', `The multipart body has more than ${LIMITS[what]} ${what}`);

/** An internal member of the form parser, which its own tests use, too. */
interface WithPartParser {
  readonly _parser: { readonly parser: EventEmitter<{ part: [EventEmitter<{ header: [PartHeaders] }>] }> };
}

type PartHeaders = Readonly<Record<string, readonly string[]>>;

/**
 * The `Content-Type` of the current part, as it was sent. The parser itself drops its parameters, and reports a part
 * without one as `text/plain`.
 *
 * @returns a function for listeners of `file`
 */
function followPartTypes(parser: BusboyInstance): () => string | undefined {
  let sent: string | undefined;
  const { parser: parts } = (parser as BusboyInstance & WithPartParser)._parser;
  // Must run before the listener of the parser, which emits `file`.
  parts.prependListener('part', (part) => {
    sent = undefined;
    part.once('header', (headers) => {
      sent = headers['content-type']?.[0];
    });
  });
  return () => sent;
}
