import type { ByteRange } from '../storage/blob-store.ts';

/** More ranges than players and download managers request at once. */
const MAX_RANGES = 50;
/** A gap with fewer bytes than the head of a separate part (RFC 9110 §15.3.7.2). */
const SMALL_GAP = 100;

/**
 * The ranges of a `Range` header (RFC 9110 §14.1.2), in its order. Ranges that overlap or nearly touch are merged, so
 * that no response is longer than the file. Undefined if there is no header, or if it is malformed or has too many
 * ranges: the response is the whole file then. `unsatisfiable` if all ranges begin after the end.
 */
export function parseByteRanges(
  header: string | undefined,
  sizeBytes: number,
): readonly ByteRange[] | 'unsatisfiable' | undefined {
  const [, list] = /^\s*bytes\s*=(.*)$/i.exec(header ?? '') ?? [];
  if (list === undefined) return undefined;
  const specifiers = list
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  if (specifiers.length === 0 || specifiers.length > MAX_RANGES) return undefined;
  const ranges: ByteRange[] = [];
  for (const specifier of specifiers) {
    const range = parseOne(specifier, sizeBytes);
    if (range === undefined) return undefined;
    if (range !== 'unsatisfiable') ranges.push(range);
  }
  return ranges.length === 0 ? 'unsatisfiable' : mergeRanges(ranges);
}

function parseOne(specifier: string, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^(\d*)-(\d*)$/.exec(specifier) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= sizeBytes) return 'unsatisfiable';
  return { start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}

/** Merges ranges; a merged one has the position of the first range that is part of it. */
function mergeRanges(ranges: readonly ByteRange[]): readonly ByteRange[] {
  const sorted = ranges.map((range, position) => ({ ...range, position })).sort((a, b) => a.start - b.start);
  const kept: typeof sorted = [];
  for (const next of sorted) {
    const before = kept.at(-1);
    if (before === undefined || next.start > before.end + SMALL_GAP + 1) {
      kept.push(next);
      continue;
    }
    before.end = Math.max(before.end, next.end);
    before.position = Math.min(before.position, next.position);
  }
  return kept.sort((a, b) => a.position - b.position).map(({ start, end }) => ({ start, end }));
}
