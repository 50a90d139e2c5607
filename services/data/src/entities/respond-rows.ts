import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { sendJsonText } from '@lintel/http';
import type { JoinedRows } from '@lintel/persistence';

/** V8 allocates texts above 128 KiB in the old generation: a streamed list would fill the memory with them. */
const PIECE_CHARACTERS = 32_768;

/** Lists up to this length are sent in one piece. */
const SMALL_CHARACTERS = 65_536;

/** Texts around rows. */
export interface Frame {
  /** Before the first row. */
  readonly opening: string;
  /** Between two rows. */
  readonly separator: string;
  /** After the last row. */
  readonly closing: string;
}

/** Sends a batch of rows in pieces. */
export async function respondRows(
  response: ServerResponse,
  rows: readonly string[],
  { opening, separator, closing }: Frame,
): Promise<void> {
  let from = 0;
  let characters = 0;
  for (const [at, row] of rows.entries()) {
    characters += row.length;
    const isLast = at === rows.length - 1;
    if (characters < PIECE_CHARACTERS && !isLast) continue;
    const piece = rows.slice(from, at + 1).join(separator);
    await writePiece(response, from === 0 ? opening : separator, piece, isLast ? closing : '');
    if (response.destroyed) return;
    from = at + 1;
    characters = 0;
  }
}

/** Sends rows as bytes, each after its separator, but the first one of the list after `opening`. */
export async function respondBytes(
  response: ServerResponse,
  { pieces }: Pick<JoinedRows, 'pieces'>,
  opening: string | undefined,
): Promise<void> {
  const before = opening === undefined ? undefined : Buffer.from(opening).toString('latin1');
  for (const [at, piece] of pieces.entries()) {
    await write(response, before !== undefined && at === 0 ? `${before}${piece.slice(1)}` : piece, 'latin1');
    if (response.destroyed) return;
  }
}

/**
 * Sends a list whose rows are in memory; a large one in pieces, since the joined text would be in memory three times
 * until the client has received it.
 */
export async function respondList(response: ServerResponse, rows: readonly string[]): Promise<void> {
  if (isSmall(rows)) {
    sendJsonText(response, `[${rows.join(',')}]`);
    return;
  }
  let bytes = 1 + rows.length;
  for (const row of rows) bytes += Buffer.byteLength(row);
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', bytes);
  if (response.req.method !== 'HEAD') await respondRows(response, rows, { opening: '[', separator: ',', closing: ']' });
  if (!response.destroyed) response.end();
}

/** Sends the JSON of an instance, a large one in pieces. */
export async function respondJson(response: ServerResponse, json: string): Promise<void> {
  if (json.length <= SMALL_CHARACTERS) {
    sendJsonText(response, json);
    return;
  }
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(json));
  if (response.req.method !== 'HEAD') await writeText(response, json);
  if (!response.destroyed) response.end();
}

function isSmall(rows: readonly string[]): boolean {
  let characters = 0;
  for (const { length } of rows) {
    characters += length;
    if (characters > SMALL_CHARACTERS) return false;
  }
  return true;
}

/** A long text is not concatenated with the texts around it, which would copy it. */
async function writePiece(response: ServerResponse, before: string, text: string, after: string): Promise<void> {
  if (text.length <= SMALL_CHARACTERS) {
    await writeText(response, `${before}${text}${after}`);
    return;
  }
  for (const part of [before, text, after]) if (!response.destroyed) await writeText(response, part);
}

async function writeText(response: ServerResponse, text: string): Promise<void> {
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    await write(response, from === 0 && to === text.length ? text : text.slice(from, to));
    if (response.destroyed) return;
    from = to;
  }
}

/** The end of a piece; it does not split a character. */
function endOfPiece(text: string, from: number): number {
  const to = from + PIECE_CHARACTERS;
  // Joined rows may be slightly longer than a piece: no further piece for a short rest.
  if (to + SLACK_CHARACTERS >= text.length) return text.length;
  return isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to;
}

const SLACK_CHARACTERS = 4_096;
const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Writes the text; waits if the client reads more slowly than the database delivers. */
async function write(response: ServerResponse, text: string, encoding: 'utf8' | 'latin1' = 'utf8'): Promise<void> {
  if (response.write(text, encoding) || response.destroyed) return;
  const closed = new AbortController();
  const onClose = (): void => closed.abort();
  response.once('close', onClose);
  try {
    await once(response, 'drain', { signal: closed.signal });
  } catch (error) {
    if (!closed.signal.aborted) throw error;
  } finally {
    response.off('close', onClose);
  }
}
