import { attemptSignal, wait } from '../connection/attempt-signal.ts';
import type { Connection } from '../connection/create-connection.ts';
import { pathOf } from '../connection/paths.ts';
import { LintelError } from '../errors/lintel-error.ts';
import { RestError } from '../errors/rest-error.ts';
import { readChunks } from '../files/read-chunks.ts';
import { parseExact } from '../json/parse-exact.ts';
import type { AbortSignalLike } from '../platform.ts';
/** A change of an instance, or `reset`: changes were missed, and the data must be read again. */
export type Change =
  | {
      readonly change: 'created' | 'updated';
      /** Name of the entity, which may be a descendant of the one that is followed. */
      readonly entity: string;
      /** Key of the instance in its JSON form. */
      readonly id: unknown;
      /** The attributes that have a new value. */
      readonly attributes: readonly string[];
      /** Whether a request of this client has made it. */
      readonly isOwn: boolean;
      /** With it, another feed continues after this change. */
      readonly eventId: string | undefined;
    }
  | {
      /** `removed`: the caller can no longer see it. */
      readonly change: 'deleted' | 'removed';
      readonly entity: string;
      readonly id: unknown;
      readonly isOwn: boolean;
      readonly eventId: string | undefined;
    }
  | { readonly change: 'reset'; readonly eventId: string | undefined };

/** A change as it is sent: those of the caller have the trace of their request. */
type SentChange = Exclude<Change, { change: 'reset' }> & { readonly trace?: string };

/** How a feed of changes is followed. */
export interface FollowOptions {
  /** Ends the feed without an error. */
  readonly signal?: AbortSignalLike | undefined;
  /** Continues after this event: the `eventId` of the last change that was processed. */
  readonly lastEventId?: string | undefined;
  /** A connection that sends nothing for so long is closed; 45 s by default. */
  readonly silenceMs?: number | undefined;
  /** Called when the feed is connected, and when it connects again after a failure. */
  readonly onConnect?: (() => void) | undefined;
}

const SILENCE_MS = 45_000;
const RETRY_MS = 3000;

/**
 * The changes of an entity that the caller may see, in order, as soon as they are committed. Connects again by itself,
 * and continues after the last change. Rejects if the server refuses the feed, for example because a right is missing.
 */
export async function* followChanges(
  connection: Connection,
  entity: string,
  options: FollowOptions = {},
): AsyncGenerator<Change, void, undefined> {
  const { signal, silenceMs = SILENCE_MS, onConnect } = options;
  let { lastEventId } = options;
  let retryMs = RETRY_MS;
  const { base, changes = `${base}/changes` } = connection.paths;
  const isEnded = (): boolean => signal?.aborted === true;
  while (!isEnded()) {
    const timing = attemptSignal(signal, silenceMs);
    let refusedMs = 0;
    try {
      const { response, release } = await connection.open({
        method: 'GET',
        path: pathOf(changes, entity),
        headers: { accept: 'text/event-stream', 'last-event-id': lastEventId },
        repeatable: true,
        signal: timing.signal,
      });
      onConnect?.();
      try {
        for await (const event of readEvents(observed(readChunks(response), timing.restartTimer))) {
          retryMs = event.retryMs ?? retryMs;
          lastEventId = event.id ?? lastEventId;
          if (event.data === '') continue;
          const change = await changeOf(connection, entity, event, lastEventId);
          if (isEnded()) return;
          yield change;
        }
      } finally {
        release();
      }
    } catch (error) {
      if (isEnded()) return;
      if (!isPassing(error)) throw error;
      refusedMs = (error as Partial<RestError>).retryAfterMs ?? 0;
    } finally {
      timing.release();
    }
    // An ended signal ends the loop.
    await wait(Math.max(retryMs, refusedMs), signal).catch(() => {});
  }
}

async function* observed(chunks: AsyncIterable<Uint8Array>, onChunk: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onChunk();
    yield chunk;
  }
}

async function changeOf(
  { numbers, ownRequests }: Connection,
  followed: string,
  { event, data }: ServerEvent,
  eventId: string | undefined,
): Promise<Change> {
  if (event === 'reset') return { change: 'reset', eventId };
  const { trace, ...change } = parseExact(data, numbers, numbers[followed]) as SentChange;
  return { ...change, isOwn: trace !== undefined && (await ownRequests.made(trace)), eventId };
}

/** Whether the feed may be had later: the network failed, or the server refuses for a while. */
const isPassing = (error: unknown): boolean =>
  error instanceof RestError ? error.status === 429 || error.status >= 500 : error instanceof LintelError;

/** A server-sent event; one without data only moves the position. */
interface ServerEvent {
  readonly event: string;
  readonly data: string;
  /** The last id of the stream. */
  readonly id: string | undefined;
  /** How long the server wants its clients to wait before they connect again. */
  readonly retryMs: number | undefined;
}

/** The events of a stream (`text/event-stream`), and of each block without data the id alone. */
async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
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
