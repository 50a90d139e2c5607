import type { JoinedRows } from '../../database.ts';

/** Joins texts that the driver has read. */
export const joinTexts = (texts: readonly string[], separator = ','): JoinedRows => ({
  pieces: texts.map((text) => `${separator}${Buffer.from(text).toString('latin1')}`),
  lengths: texts.map((text) => Buffer.byteLength(text)),
});

/** The texts of the rows. */
export function textsOf({ pieces, lengths }: JoinedRows): string[] {
  const bytes = Buffer.from(pieces.join(''), 'latin1');
  let end = 0;
  return lengths.map((length) => {
    const from = end + 1;
    end = from + length;
    return bytes.toString('utf8', from, end);
  });
}
