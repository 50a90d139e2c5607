/** Splits a UTF-8 stream into lines without their ends; includes a last line without an end, and skips empty lines. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', from)) {
      if (end > from) yield text.slice(from, end);
      from = end + 1;
    }
    rest = text.slice(from);
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
