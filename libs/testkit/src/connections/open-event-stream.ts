/** An event as the `EventSource` of browsers would give it to a script. */
export interface StreamedEvent {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/** A stream of server-sent events, read as browsers read it (WHATWG HTML §9.2). */
export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** What came so far. */
  readonly events: readonly StreamedEvent[];
  /** The `Last-Event-ID` that a client sends when it reconnects. */
  readonly lastEventId: string;
  /** Milliseconds that the server asks clients to wait; undefined where it does not. */
  readonly retryMs: number | undefined;
  /** Lines of comments. */
  readonly comments: number;
  /** Whether the server ended it, and how. */
  readonly state: 'open' | 'ended' | 'cut';
  /** The body of a response that is no stream. */
  text(): Promise<string>;
  close(): void;
}

/** Opens a stream; the response has begun when the promise resolves. */
export async function openEventStream(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const controller = new AbortController();
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  });
  const stream = new ReadStream(response, controller);
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) void stream.read();
  return stream;
}

class ReadStream implements EventStream {
  readonly status: number;
  readonly headers: Headers;
  readonly events: StreamedEvent[] = [];
  lastEventId = '';
  retryMs: number | undefined;
  comments = 0;
  state: EventStream['state'] = 'open';
  readonly #response: Response;
  readonly #controller: AbortController;
  #id = '';
  #event = '';
  #data: string[] = [];

  constructor(response: Response, controller: AbortController) {
    this.status = response.status;
    this.headers = response.headers;
    this.#response = response;
    this.#controller = controller;
  }

  text(): Promise<string> {
    return this.#response.text();
  }

  close(): void {
    this.#controller.abort();
  }

  async read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const bytes of this.#response.body ?? []) {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#take(line);
      }
      this.state = 'ended';
    } catch {
      this.state = 'cut';
    }
  }

  #take(line: string): void {
    if (line === '') this.#dispatch();
    else if (line.startsWith(':')) this.comments += 1;
    else {
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
      if (field === 'data') this.#data.push(value);
      else if (field === 'event') this.#event = value;
      else if (field === 'id') this.#id = value;
      else if (field === 'retry') this.retryMs = Number(value);
    }
  }

  #dispatch(): void {
    this.lastEventId = this.#id;
    if (this.#data.length > 0)
      this.events.push({ event: this.#event || 'message', id: this.#id, data: this.#data.join('\n') });
    this.#data = [];
    this.#event = '';
  }
}
