import { type ImportReport, RestError } from '@lintel/client';

/** Endings of the files that can be imported. */
export const FILE_ENDINGS = '.csv,.txt,.tsv,.xlsx,.ndjson,.jsonl';

/** Encodings of texts that spreadsheets write. */
export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le', 'macintosh'];

/** The media type of a file by its name. */
export function contentTypeOf(name: string, encoding: string): string {
  if (/\.xlsx$/i.test(name)) return 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'application/x-ndjson';
  // A byte order mark decides about UTF-8 and UTF-16.
  return encoding === 'utf-8' ? 'text/csv' : `text/csv;charset=${encoding}`;
}

/** Columns of a file with their attributes, also from the error about those without one. */
export function columnsIn(outcome: unknown): ImportReport['columns'] {
  const from = outcome instanceof RestError ? outcome.body : outcome;
  const columns = typeof from === 'object' && from !== null && 'columns' in from ? from.columns : undefined;
  return Array.isArray(columns) ? columns : [];
}
