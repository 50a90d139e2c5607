import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { isPlatformError, PlatformError } from '@lintel/errors';
import { OCTET_STREAM } from '../references/content-types.ts';
import { ByteLimit } from './byte-limit.ts';
import { breakWith } from './receive-raw.ts';

/** Name of the part that carries the file. */
const FILE_PART = 'file';

export interface FilePart {
  /** The part's own file name, without folders; empty where it has none. */
  readonly name: string;
  readonly contentType: string;
  readonly content: Readable;
}

/** What the receiver of the part made of it, and how to undo that. */
interface Undoable {
  remove(): Promise<void>;
}

/**
 * Hands the first part named `file` to `store` while it arrives; other parts are skipped. A body that turns
 * out to be broken behind that part undoes what was stored.
 */
export async function receiveMultipart<T extends Undoable>(
  request: IncomingMessage,
  limitBytes: number,
  store: (part: FilePart) => Promise<T>,
): Promise<T> {
  const parser = createParser(request);
  let stored: Promise<T> | undefined;
  let arriving: Readable | undefined;
  const parsed = new Promise<void>((resolve, reject) => {
    parser.on('file', (field, content, fileName, _encoding, mimeType) => {
      if (field !== FILE_PART || stored !== undefined) {
        content.resume();
        return;
      }
      arriving = limit(content, limitBytes);
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
  } catch (error) {
    const failure = isPlatformError(error) ? error : malformed(error);
    request.unpipe(parser);
    parser.destroy();
    arriving?.destroy(failure);
    await undo(stored);
    throw failure;
  }
  if (stored === undefined)
    throw new PlatformError('FILE_INVALID_UPLOAD', `The multipart body has no part named "${FILE_PART}"`);
  return stored;
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

function limit(content: BusboyFileStream, limitBytes: number): Readable {
  const limited = new ByteLimit(limitBytes);
  content.once('error', (error) => limited.destroy(malformed(error)));
  content.pipe(limited);
  return limited;
}

async function undo(stored: Promise<Undoable> | undefined): Promise<void> {
  const file = await stored?.catch(() => undefined);
  await file?.remove();
}

const malformed = (cause: unknown): PlatformError =>
  new PlatformError('FILE_INVALID_UPLOAD', 'The multipart body is malformed', { cause });
