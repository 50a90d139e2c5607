import type { ByteRange } from '../storage/blob-store.ts';

/** More ranges than any player or download manager asks for at once. */
const MOST_RANGES = 50;
/** A gap that costs less than the head of a part of its own (RFC 9110 §15.3.7.2). */
const SMALL_GAP = 100;

/**
 * The ranges that a `Range` header asks for (RFC 9110 §14.1.2), in its order; those that overlap or nearly touch
 * are one, so that no header makes an answer longer than the file. Undefined where there is no header, where it
 * is malformed or asks for very many: the whole file is the right answer then. `unsatisfiable` where all ranges
 * begin behind the end.
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
  if (specifiers.length === 0 || specifiers.length > MOST_RANGES) return undefined;
  const ranges: ByteRange[] = [];
  for (const specifier of specifiers) {
    const range = parseOne(specifier, sizeBytes);
    if (range === undefined) return undefined;
    if (range !== 'unsatisfiable') ranges.push(range);
  }
  return ranges.length === 0 ? 'unsatisfiable' : joined(ranges);
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

/** Each of the answer stands where the first of those that it was made of stood. */
function joined(ranges: readonly ByteRange[]): readonly ByteRange[] {
  const sorted = ranges.map((range, place) => ({ ...range, place })).sort((a, b) => a.start - b.start);
  const kept: typeof sorted = [];
  for (const next of sorted) {
    const before = kept.at(-1);
    if (before === undefined || next.start > before.end + SMALL_GAP + 1) {
      kept.push(next);
      continue;
    }
    before.end = Math.max(before.end, next.end);
    before.place = Math.min(before.place, next.place);
  }
  return kept.sort((a, b) => a.place - b.place).map(({ start, end }) => ({ start, end }));
}
