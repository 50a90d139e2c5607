import type { CallerKey } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';

/** Limits the open streams of changes of this process, in total and for each caller. */
export class StreamLimiter {
  readonly #limits: { readonly max: number; readonly maxPerUser: number };
  readonly #ofCallers = new Map<CallerKey, number>();
  #active = 0;

  constructor(limits: { readonly max: number; readonly maxPerUser: number }) {
    this.#limits = limits;
  }

  get active(): number {
    return this.#active;
  }

  /**
   * Counts one more open stream; the returned function releases it.
   *
   * @throws PlatformError REQ_TOO_MANY_REQUESTS at the limit of the user; DATA_UNAVAILABLE at the total limit
   */
  acquire(caller: CallerKey): () => void {
    const own = this.#ofCallers.get(caller) ?? 0;
    if (own >= this.#limits.maxPerUser)
      throw new PlatformError(
        'REQ_TOO_MANY_REQUESTS',
        `More than ${this.#limits.maxPerUser} feeds of changes are open`,
        {
          headers: { 'Retry-After': '5' },
        },
      );
    if (this.#active >= this.#limits.max)
      throw new PlatformError('DATA_UNAVAILABLE', 'Too many feeds of changes are open', {
        headers: { 'Retry-After': '5' },
      });
    this.#active += 1;
    this.#ofCallers.set(caller, own + 1);
    return () => {
      this.#active -= 1;
      const left = (this.#ofCallers.get(caller) ?? 1) - 1;
      if (left === 0) this.#ofCallers.delete(caller);
      else this.#ofCallers.set(caller, left);
    };
  }
}
