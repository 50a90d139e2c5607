import { pipeline, Readable } from 'node:stream';
import { PlatformError } from '@lintel/errors';
import { nextIteration } from '@lintel/timing';
import { type CsvError, parse } from 'csv-parse';
import { type Cells, checkedRow } from './cells.ts';
import { tableError } from './table-error.ts';

const DELIMITERS = [',', ';', '\t', '|'];
const MAX_ROW_BYTES = 1_048_576;
/** Decoded and parsed at once: a few milliseconds. */
const SLICE_BYTES = 32_768;

const BOMS: readonly (readonly [label: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

type Decoder = InstanceType<typeof TextDecoder>;

/** Reads the bytes of a file from its beginning, as often as it is called. */
export type FileBytes = () => AsyncIterable<Uint8Array>;

/** The bytes of a file that is in memory. */
export const bytesInMemory = (file: Uint8Array): FileBytes =>
  async function* () {
    if (file.length > 0) yield file;
  };

/**
 * The text of a file, piece by piece, without a byte order mark.
 *
 * @param charset of the content type; without it the byte order mark decides
 * @throws PlatformError REQ_CANNOT_DESERIALIZE for other bytes, and for NUL, which no text may have
 */
export async function* textOf(open: FileBytes, charset: string | undefined): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  let line = 1;
  const decoded = (slice: Uint8Array, stream: boolean): string => {
    decoder ??= decoderOf(
      charset ?? BOMS.find(([, own]) => own.every((byte, at) => slice[at] === byte))?.[0] ?? 'utf-8',
    );
    const text = decodedBy(decoder, slice, { stream });
    const nul = text.indexOf('\0');
    const lines = (end: number): number => text.slice(0, end).split('\n').length - 1;
    if (nul >= 0) throw tableError(`Line ${line + lines(nul)} contains a NUL character`);
    line += lines(text.length);
    return text;
  };
  for await (const piece of open())
    for (let at = 0; at < piece.length; at += SLICE_BYTES) {
      yield decoded(piece.subarray(at, at + SLICE_BYTES), true);
      await nextIteration();
    }
  if (decoder === undefined) throw tableError('The file is empty');
  yield decoded(new Uint8Array(), false);
}

function decodedBy(decoder: Decoder, slice: Uint8Array, options: { readonly stream: boolean }): string {
  try {
    return decoder.decode(slice, options);
  } catch (cause) {
    const { encoding } = decoder;
    throw tableError(
      `The file is not valid ${encoding}: Content-Type names its encoding (text/csv;charset=windows-1252)`,
      cause,
    );
  }
}

/** @throws PlatformError REQ_INVALID_PARAMETER */
export function decoderOf(charset: string): Decoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch (cause) {
    throw new PlatformError('REQ_INVALID_PARAMETER', `The charset '${charset}' of Content-Type is unknown`, { cause });
  }
}

/** The delimiter that the first row has most often outside of quotation marks. */
export async function delimiterOf(text: AsyncIterable<string>): Promise<string> {
  for await (const piece of text) {
    const [row = ''] = /[^\r\n]+/.exec(piece.replaceAll(/"[^"]*"/g, '')) ?? [];
    const counts = DELIMITERS.map((delimiter) => row.split(delimiter).length);
    return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
  }
  return ',';
}

/** The rest of a sentence about a line. */
const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quotation mark that is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'has text after the closing quotation mark of a cell',
  INVALID_OPENING_QUOTE: 'has a quotation mark inside of a cell; the cell must be quoted, and the mark doubled',
  CSV_MAX_RECORD_SIZE: `has a row of more than ${MAX_ROW_BYTES} bytes`,
};

/**
 * The rows of a CSV file, the header included, without empty ones.
 *
 * @throws PlatformError REQ_CANNOT_DESERIALIZE naming the line
 */
export async function* csvRows(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<Cells> {
  const parser = parse({
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  });
  // The loop throws the error of the parser.
  pipeline(Readable.from(text, { objectMode: false }), parser, () => {});
  try {
    for await (const cells of parser as AsyncIterable<Cells>) {
      if (cells.some((cell) => cell !== null)) yield checkedRow(cells);
    }
  } catch (error) {
    const reason = REASONS[(error as CsvError).code];
    if (reason === undefined) throw error;
    throw tableError(`Line ${(error as CsvError)['lines'] as number} ${reason}`, error);
  }
}

/** The lines of NDJSON that are not empty. */
export async function* ndjsonLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of [...lines, rest])
      if (Buffer.byteLength(line) > MAX_ROW_BYTES) throw tableError(`A line has more than ${MAX_ROW_BYTES} bytes`);
    for (const line of lines) if (line.trim() !== '') yield line.trim();
  }
  if (rest.trim() !== '') yield rest.trim();
}
