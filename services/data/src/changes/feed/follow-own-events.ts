import type { PublishedEvent } from '@lintel/persistence';
import type { Counter } from '@lintel/telemetry';
import type { ChangeTail, Numbered } from './change-tail.ts';
import { type FollowingDependencies, followEvents } from './follow-events.ts';

/** An event may have 256 KiB. */
const BATCH = 10;

/** An event of the application, as the text that all its followers receive. */
export interface OwnEvent extends Numbered {
  readonly text: string;
}

/** The text of an event, made once: an event may have 256 KiB and thousands of followers. */
export const ownEventOf =
  (type: string) =>
  ({ sequence, subject, time, data }: PublishedEvent): OwnEvent => ({
    sequence,
    text: JSON.stringify({ type, subject, timestamp: time, data }),
  });

/** The subscription of one client to an event of the application. */
export interface FollowedEvent {
  readonly type: string;
  readonly after: number | undefined;
  readonly retryMs: number;
}

export interface FollowOwnDependencies extends FollowingDependencies {
  readonly tail: ChangeTail<OwnEvent>;
  /** False if the session has ended, or has lost the permission. */
  readonly mayReceive: () => Promise<boolean>;
  readonly sent: { readonly published: Counter };
}

/** Sends the events of a type of the application to a client; see {@link followEvents}. */
export async function followOwnEvents(
  { type, after, retryMs }: FollowedEvent,
  deps: FollowOwnDependencies,
  send: (text: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { tail } = deps;
  const framesOf = async (events: readonly OwnEvent[]) => {
    if (!(await deps.mayReceive())) return undefined;
    if (events.length > 0) deps.sent.published.add(events.length);
    return events.map(
      ({ sequence, text }) => `event: published\nid: ${deps.encodeEventId(sequence)}\ndata: ${text}\n\n`,
    );
  };
  await followEvents(
    { type, tail, eventOf: ownEventOf(type), after, retryMs, batch: BATCH, framesOf },
    deps,
    send,
    signal,
  );
}
