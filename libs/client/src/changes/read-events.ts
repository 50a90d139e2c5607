/** A server-sent event; one without data only moves the position. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  /** The last id of the stream. */
  readonly id: string | undefined;
  /** How long the server wants its clients to wait before they connect again. */
  readonly retryMs: number | undefined;
}

/** The events of a stream (`text/event-stream`), and of each block without data the id alone. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).replaceAll('\r', '').split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield parseBlock(block);
  }
}

function parseBlock(block: string): ServerEvent {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    fields.set(name, name === 'data' && fields.has(name) ? `${fields.get(name)}\n${value}` : value);
  }
  const retry = fields.get('retry') ?? '';
  return {
    event: fields.get('event') ?? 'message',
    data: fields.get('data') ?? '',
    id: fields.get('id'),
    retryMs: /^\d+$/.test(retry) ? Number(retry) : undefined,
  };
}
