import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { isPlatformError, PlatformError } from '@lintel/errors';
import { OCTET_STREAM } from '../references/content-types.ts';
import { IncomingContent, type IncomingContentOptions } from './incoming-content.ts';
import { breakWith } from './receive-raw.ts';

/** Name of the part that carries the file. */
const FILE_PART = 'file';

export interface FilePart {
  /** The part's own file name, without folders; empty where it has none. */
  readonly name: string;
  readonly contentType: string;
  readonly content: Readable;
}

/**
 * Hands the first part named `file` to `store` while it arrives; other parts are skipped. The part gets its last
 * bytes when the whole body has turned out to be well formed.
 */
export async function receiveMultipart<T>(
  request: IncomingMessage,
  options: IncomingContentOptions,
  store: (part: FilePart) => Promise<T>,
): Promise<T> {
  const parser = createParser(request);
  let stored: Promise<T> | undefined;
  let arriving: Readable | undefined;
  const parsed = new Promise<void>((resolve, reject) => {
    const approve = async (): Promise<void> => {
      await parsed;
      await options.approve();
    };
    parser.on('file', (field, content, fileName, _encoding, mimeType) => {
      if (field !== FILE_PART || stored !== undefined) {
        content.resume();
        return;
      }
      arriving = contentOf(content, { ...options, approve });
      stored = store({ name: fileName ?? '', contentType: mimeType || OCTET_STREAM, content: arriving });
      stored.catch(reject);
    });
    parser.on('finish', resolve);
    parser.on('error', reject);
  });
  breakWith(request, parser);
  request.pipe(parser);
  try {
    await parsed;
    if (stored !== undefined) return await stored;
  } catch (error) {
    const failure = isPlatformError(error) ? error : malformed(error);
    request.unpipe(parser);
    parser.destroy();
    arriving?.destroy(failure);
    // What it says has been said; nothing may still be written when the refusal is answered.
    await stored?.catch(() => undefined);
    throw failure;
  }
  throw new PlatformError('FILE_INVALID_UPLOAD', `The multipart body has no part named "${FILE_PART}"`);
}

function createParser(request: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      // A part named `file` is the file, with or without a file name of its own.
      isPartAFile: (field, _contentType, fileName) => field === FILE_PART || fileName !== undefined,
      limits: { fields: 100, parts: 200, fieldSize: 1024 * 1024 },
    });
  } catch (error) {
    throw malformed(error);
  }
}

function contentOf(part: BusboyFileStream, options: IncomingContentOptions): Readable {
  const content = new IncomingContent(options);
  part.once('error', (error) => content.destroy(malformed(error)));
  part.pipe(content);
  return content;
}

const malformed = (cause: unknown): PlatformError =>
  new PlatformError('FILE_INVALID_UPLOAD', 'The multipart body is malformed', { cause });
