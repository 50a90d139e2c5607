/** A queue that the processes of a service share. */
export interface QueueState {
  /** `reports.runs` */
  readonly name: string;
  /** Events that wait. */
  readonly events: number;
  readonly consumers: number;
}

/** An event that a handler refused, or that failed too often. */
export interface DeadLetter {
  /** The service whose handler did not accept it. */
  readonly service: string;
  /** Id of the event; undefined if the message has none. */
  readonly id: string | undefined;
  /** Undefined if the message is not an event. */
  readonly type: string | undefined;
  readonly subject: string | undefined;
  /** The queue that it was refused from; undefined if it was sent to the dead letters directly. */
  readonly queue: string | undefined;
  /** In the words of RabbitMQ: `rejected` by the handler, `delivery_limit` after connections that were lost. */
  readonly reason: string | undefined;
  /** When it became a dead letter. */
  readonly time: Date | undefined;
}

/** A dead letter with the key that names it. */
export interface KeyedDeadLetter extends DeadLetter {
  /** Made of service, queue, id and content; the same in each list. */
  readonly key: string;
}

/** A dead letter with its content. */
export interface DeadLetterContent extends KeyedDeadLetter {
  /** The event as it was published; at most the first 64 KiB. */
  readonly content: string;
  readonly isTruncated: boolean;
}

/** The first dead letters of a list. */
export interface DeadLetterPage {
  /** The oldest of each service first. */
  readonly letters: readonly KeyedDeadLetter[];
  /** How many there are in all. */
  readonly total: number;
}

/**
 * `retried`: its queue has stored it, and it is no dead letter any more. `no-queue`: its queue no longer exists, and it
 * stays. `unknown`: there is no such letter, for example since somebody else has retried it.
 */
export type DeadLetterOutcome = 'retried' | 'no-queue' | 'unknown';

/**
 * What operators see of the bus and do with dead letters. Its operations on dead letters exclude each other among all
 * processes, so that one letter is never retried twice. They search the oldest letters of each service, as many as a
 * list can have.
 */
export interface EventAdministration {
  queues(): Promise<readonly QueueState[]>;
  /** @param limit at most this number of each service, at most 200 */
  deadLetters(limit: number): Promise<DeadLetterPage>;
  deadLetter(key: string): Promise<DeadLetterContent | undefined>;
  retry(key: string): Promise<DeadLetterOutcome>;
  /** @returns false if there is no such letter */
  discard(key: string): Promise<boolean>;
}

/** Letters of one service that are searched. */
export const MAX_SEARCHED = 200;

/** Of the content of a letter. */
export const MAX_CONTENT_BYTES = 64 * 1024;
