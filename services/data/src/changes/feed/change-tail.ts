import type { PublishedEvent, PublishedEvents } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';

export interface ChangeTailOptions<E> {
  readonly events: PublishedEvents;
  /** Type of the events that are read. */
  readonly type: string;
  readonly eventOf: (event: PublishedEvent) => E;
  readonly logger: Pick<Logger, 'warn'>;
  /** How many changes are kept in memory; older ones are read from the database. */
  readonly maxChanges?: number;
  /** How many are read with one statement. */
  readonly batch?: number;
  /** Interval of reads without a notification, since a notification may be lost. */
  readonly pollIntervalMs?: number;
}

/** An event with its number among the published events. */
export interface Numbered {
  readonly sequence: number;
}

/**
 * The latest events of a type, such as the changes of all entities, read once for all followers in this process. Nothing is read while there are no
 * followers.
 */
export class ChangeTail<E extends Numbered> {
  readonly #options: ChangeTailOptions<E>;
  readonly #followers = new Set<() => void>();
  #reading: Promise<Reading<E>> | undefined;

  constructor(options: ChangeTailOptions<E>) {
    this.#options = options;
  }

  /**
   * Follows the changes until `leave` is called.
   *
   * @param wake called when there are more of them
   * @throws PlatformError if the database is unavailable
   */
  async follow(wake: () => void): Promise<FollowedChanges<E>> {
    this.#followers.add(wake);
    const reading = this.#reading ?? this.#begin();
    const leave = (): void => {
      if (!this.#followers.delete(wake) || this.#followers.size > 0) return;
      this.#reading = undefined;
      void reading.then((last) => last.close()).catch(() => {}); // its followers have received the error of a start that failed
    };
    try {
      const changes = await reading;
      return {
        get sequence() {
          return changes.sequence;
        },
        changesAfter: (sequence, limit) => changes.changesAfter(sequence, limit),
        leave,
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  #begin(): Promise<Reading<E>> {
    this.#reading = Reading.begin(this.#options, () => {
      for (const wake of this.#followers) wake();
    });
    return this.#reading;
  }
}

/** The changes as a follower sees them. */
export interface FollowedChanges<E> {
  /** Sequence number of the latest known event. */
  readonly sequence: number;
  /** Changes after a sequence number, the oldest first; undefined if they are no longer in memory. */
  changesAfter(sequence: number, limit: number): readonly E[] | undefined;
  leave(): void;
}

/** The reading of changes from the first follower to the last. */
class Reading<E extends Numbered> {
  readonly #options: ChangeTailOptions<E>;
  readonly #onMore: () => void;
  #changes: E[] = [];
  /** All changes after this sequence number are in memory. */
  #from: number;
  #sequence: number;
  #listening: { close(): Promise<void> } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #isWoken = false;
  #isClosed = false;

  static async begin<E extends Numbered>(options: ChangeTailOptions<E>, onMore: () => void): Promise<Reading<E>> {
    const reading = new Reading(options, onMore, await options.events.latest());
    reading.#listening = await options.events.listen(() => reading.#wake());
    reading.#timer = setInterval(() => reading.#wake(), options.pollIntervalMs ?? 5_000).unref();
    // No notification was received for changes between the two calls.
    reading.#wake();
    return reading;
  }

  private constructor(options: ChangeTailOptions<E>, onMore: () => void, sequence: number) {
    this.#options = options;
    this.#onMore = onMore;
    this.#from = sequence;
    this.#sequence = sequence;
  }

  get sequence(): number {
    return this.#sequence;
  }

  changesAfter(sequence: number, limit: number): readonly E[] | undefined {
    if (sequence < this.#from) return undefined;
    // Most followers are near the end.
    const at = this.#changes.findLastIndex((change) => change.sequence <= sequence) + 1;
    return this.#changes.slice(at, at + limit);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#listening?.close();
  }

  #wake(): void {
    this.#isWoken = true;
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (this.#isWoken && !this.#isClosed) {
        this.#isWoken = false;
        await this.#readOn();
      }
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'Changes could not be read; they are looked for again');
    } finally {
      this.#isRunning = false;
    }
  }

  async #readOn(): Promise<void> {
    const { events, type, eventOf, maxChanges = 5_000, batch = 500 } = this.#options;
    for (;;) {
      const found = await events.read({ after: this.#sequence, type, limit: batch });
      const last = found.at(-1);
      if (last === undefined || this.#isClosed) return;
      this.#changes.push(...found.map(eventOf));
      this.#sequence = last.sequence;
      const surplus = this.#changes.splice(0, Math.max(0, this.#changes.length - maxChanges));
      this.#from = surplus.at(-1)?.sequence ?? this.#from;
      this.#onMore();
      if (found.length < batch) return;
    }
  }
}
