import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { PlatformError } from '@lintel/errors';
import { type CsvError, parse } from 'csv-parse';
import { type Cells, checkedRow } from './cells.ts';
import { tableError } from './table-error.ts';

const DELIMITERS = [',', ';', '\t', '|'];
const MAX_ROW_BYTES = 1_048_576;
/** Parsed at once: a few milliseconds. */
const SLICE_BYTES = 32_768;

const BOMS: readonly (readonly [label: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * The file in UTF-8 without a byte order mark.
 *
 * @param charset of `Content-Type`; without it the byte order mark decides
 * @throws PlatformError REQ_CANNOT_DESERIALIZE for other bytes, and for NUL, which no text may have
 */
export function utf8Of(bytes: Buffer, charset: string | undefined): Buffer {
  const [detected, bom] = BOMS.find(([, own]) => own.every((byte, at) => bytes[at] === byte)) ?? ['utf-8', []];
  const label = (charset ?? detected).toLowerCase();
  const file = label === detected ? bytes.subarray(bom.length) : bytes;
  const decoded = label === 'utf-8' || label === 'utf8' ? (isUtf8(file) ? file : undefined) : recoded(file, label);
  if (decoded === undefined)
    throw tableError(`The file is not valid ${label}: Content-Type names its encoding (text/csv;charset=windows-1252)`);
  const nul = decoded.indexOf(0);
  if (nul >= 0) throw tableError(`The file contains a NUL character at byte ${nul}`);
  return decoded;
}

function recoded(file: Buffer, label: string): Buffer | undefined {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(label, { fatal: true });
  } catch (cause) {
    throw new PlatformError('REQ_INVALID_PARAMETER', `The charset '${label}' of Content-Type is unknown`, { cause });
  }
  try {
    return Buffer.from(decoder.decode(file));
  } catch {
    // The caller reports the bytes.
    return undefined;
  }
}

/** The delimiter that the first line has most often outside of quotation marks. */
export function delimiterOf(file: Buffer): string {
  const [line = ''] = file.toString('utf8', 0, SLICE_BYTES).split(/\r?\n/, 1);
  const bare = line.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** The rest of a sentence about a line. */
const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quotation mark that is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'has text after the closing quotation mark of a cell',
  INVALID_OPENING_QUOTE: 'has a quotation mark inside of a cell; the cell must be quoted, and the mark doubled',
  CSV_MAX_RECORD_SIZE: `has a row of more than ${MAX_ROW_BYTES} bytes`,
};

/**
 * The rows of a CSV file, the header included, without empty lines.
 *
 * @throws PlatformError REQ_CANNOT_DESERIALIZE naming the line
 */
export async function* csvRows(file: Buffer, delimiter: string): AsyncGenerator<Cells> {
  const parser = parse({
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  });
  // The loop throws the error of the parser.
  pipeline(Readable.from(slicesOf(file), { objectMode: false }), parser, () => {});
  try {
    for await (const cells of parser as AsyncIterable<Cells>) {
      yield checkedRow(cells);
    }
  } catch (error) {
    const reason = REASONS[(error as CsvError).code];
    if (reason === undefined) throw error;
    throw tableError(`Line ${(error as CsvError)['lines'] as number} ${reason}`, error);
  }
}

function* slicesOf(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += SLICE_BYTES) yield file.subarray(at, at + SLICE_BYTES);
}

/** The lines of NDJSON that are not empty. */
export function* ndjsonLines(file: Buffer): Generator<string> {
  for (let from = 0; from < file.length; ) {
    const found = file.indexOf(0x0a, from);
    const end = found < 0 ? file.length : found;
    if (end - from > MAX_ROW_BYTES) throw tableError(`A line has more than ${MAX_ROW_BYTES} bytes`);
    const line = file.toString('utf8', from, end).trim();
    from = end + 1;
    if (line !== '') yield line;
  }
}
