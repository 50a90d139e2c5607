import type { PublishedEvents } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';
import { CHANGE_TYPE, changeOf, type EntityChange } from '../entity-change.ts';

export interface ChangeTailOptions {
  readonly events: PublishedEvents;
  readonly logger: Pick<Logger, 'warn'>;
  /** Changes that are kept in memory; who is further behind reads them from the database. */
  readonly most?: number;
  /** Looks for changes this often even when nothing wakes it: a notification may be lost. */
  readonly pollIntervalMs?: number;
}

const BATCH = 500;

/**
 * The latest changes of all entities, read once for all who follow them in this process. Nothing is read while
 * nobody does.
 */
export class ChangeTail {
  readonly #options: ChangeTailOptions;
  readonly #followers = new Set<() => void>();
  #reading: Promise<Reading> | undefined;

  constructor(options: ChangeTailOptions) {
    this.#options = options;
  }

  /**
   * Follows the changes until `leave` is called.
   *
   * @param wake called when there are more of them
   * @throws PlatformError where the database is away
   */
  async follow(wake: () => void): Promise<FollowedChanges> {
    this.#followers.add(wake);
    const reading = this.#reading ?? this.#begin();
    const leave = (): void => {
      if (!this.#followers.delete(wake) || this.#followers.size > 0) return;
      this.#reading = undefined;
      void reading.then((last) => last.close()).catch(() => {}); // one that did not begin told its followers
    };
    try {
      const changes = await reading;
      return {
        get place() {
          return changes.place;
        },
        behind: (place, limit) => changes.behind(place, limit),
        leave,
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  #begin(): Promise<Reading> {
    this.#reading = Reading.begin(this.#options, () => {
      for (const wake of this.#followers) wake();
    });
    return this.#reading;
  }
}

/** The changes as a follower sees them. */
export interface FollowedChanges {
  /** The place up to which everything is known. */
  readonly place: number;
  /** Changes behind a place, the oldest first; undefined where they are no longer in memory. */
  behind(place: number, limit: number): readonly EntityChange[] | undefined;
  leave(): void;
}

/** One time of reading, from its first follower to its last. */
class Reading {
  readonly #options: ChangeTailOptions;
  readonly #onMore: () => void;
  #changes: EntityChange[] = [];
  /** Everything behind it is in memory. */
  #from: number;
  #place: number;
  #listening: { close(): Promise<void> } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #isWoken = false;
  #isClosed = false;

  static async begin(options: ChangeTailOptions, onMore: () => void): Promise<Reading> {
    const reading = new Reading(options, onMore, await options.events.latest());
    reading.#listening = await options.events.listen(() => reading.#wake());
    reading.#timer = setInterval(() => reading.#wake(), options.pollIntervalMs ?? 5_000).unref();
    // What came between the two was told to nobody.
    reading.#wake();
    return reading;
  }

  private constructor(options: ChangeTailOptions, onMore: () => void, place: number) {
    this.#options = options;
    this.#onMore = onMore;
    this.#from = place;
    this.#place = place;
  }

  get place(): number {
    return this.#place;
  }

  behind(place: number, limit: number): readonly EntityChange[] | undefined {
    if (place < this.#from) return undefined;
    // Those who follow are at the end, or near it.
    const at = this.#changes.findLastIndex((change) => change.place <= place) + 1;
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
    const { events, most = 5_000 } = this.#options;
    for (;;) {
      const found = await events.read({ after: this.#place, type: CHANGE_TYPE, limit: BATCH });
      const last = found.at(-1);
      if (last === undefined || this.#isClosed) return;
      this.#changes.push(...found.map(changeOf));
      this.#place = last.place;
      const surplus = this.#changes.splice(0, Math.max(0, this.#changes.length - most));
      this.#from = surplus.at(-1)?.place ?? this.#from;
      this.#onMore();
      if (found.length < BATCH) return;
    }
  }
}
