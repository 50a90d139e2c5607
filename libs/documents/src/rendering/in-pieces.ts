/** Texts are written in pieces of about this many characters. */
const PIECE = 64 * 1024;

/** Joins small texts, because every piece of a stream has a cost. */
export async function* inPieces(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
