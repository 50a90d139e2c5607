import { type Client, createClient } from '@lintel/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Window } from 'happy-dom';
import { act, createElement } from 'react';
import { type ApplicationModel, LintelProvider } from '../src/index.ts';

const PATIENCE_MS = 60_000;

/** What a fake service responds with. */
export interface FakeResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Instead of `json`: a feed of changes. */
  readonly feed?: ReadableStream<Uint8Array>;
}

/** A request that reached the fake service. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly json: unknown;
  readonly signal: AbortSignal | null | undefined;
}

/** A client whose requests are handled by a function instead of a network. */
export function clientOf(respond: (request: FakeRequest) => FakeResponse): Client {
  return createClient({
    baseUrl: 'http://service',
    maxRetries: 0,
    fetch: (async (url: string, { method = 'GET', headers, body, signal }: RequestInit) => {
      const json = typeof body === 'string' ? JSON.parse(body) : undefined;
      const path = url.replace('http://service', '');
      const {
        status = 200,
        headers: more,
        json: content,
        feed,
      } = respond({ method, path, headers: new Headers(headers), json, signal });
      return new Response(feed ?? (content === undefined ? null : JSON.stringify(content)), {
        status,
        headers: { 'content-type': 'application/json', ...more },
      });
    }) as never,
  });
}

/** A feed of changes, which sends what a test says. */
export function createFeed() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const write = (text: string): void => controller?.enqueue(new TextEncoder().encode(text));
  return {
    open({ signal }: FakeRequest): FakeResponse {
      const feed = new ReadableStream<Uint8Array>({
        start(started) {
          controller = started;
          signal?.addEventListener('abort', () => started.error(signal.reason));
          write('retry: 1\n\n');
        },
      });
      return { feed };
    },
    send: (data: { readonly change: string } & Readonly<Record<string, unknown>>): void =>
      write(`event: ${data.change}\ndata: ${JSON.stringify({ entity: 'app_Item', attributes: [], ...data })}\n\n`),
  };
}

/** A hook within a page. */
export interface RenderedHook<T> {
  /** What the hook has returned last. */
  readonly current: T;
  /** Does something. */
  act(change: () => unknown): Promise<void>;
  /** Waits until an assertion holds. */
  shows(assertion: () => void): Promise<void>;
  end(): Promise<void>;
}

function Probe({ run }: { readonly run: () => void }): null {
  run();
  return null;
}

/** Runs a hook in a page of its own, with a client. */
export async function renderHook<T>(
  hook: () => T,
  client: Client,
  model?: Omit<ApplicationModel, 'client'>,
): Promise<RenderedHook<T>> {
  const page = new Window({ url: 'http://page/' });
  Object.assign(globalThis, { window: page, document: page.document, IS_REACT_ACT_ENVIRONMENT: true });
  // Asks for the document when it is loaded.
  const { createRoot } = await import('react-dom/client');
  const root = createRoot(page.document.body as unknown as Element);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let current: T | undefined;
  const run = (): void => {
    current = hook();
  };
  const change = (made: () => unknown): Promise<void> =>
    act(async () => {
      await made();
    });
  await change(() =>
    root.render(
      createElement(
        QueryClientProvider,
        { client: queries },
        createElement(LintelProvider, { value: { ...model, client } }, createElement(Probe, { run })),
      ),
    ),
  );
  return {
    get current() {
      return current as T;
    },
    act: change,
    async shows(assertion) {
      const end = Date.now() + PATIENCE_MS;
      for (;;) {
        try {
          assertion();
          return;
        } catch (error) {
          if (Date.now() > end) throw error;
          await act(() => new Promise((resolve) => setTimeout(resolve, 1)));
        }
      }
    },
    async end() {
      await act(async () => root.unmount());
      queries.clear();
      await page.happyDOM.close();
    },
  };
}
