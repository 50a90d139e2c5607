import { PlatformError } from '@lintel/errors';

/** How many clients follow changes in this process, of all users and of each. */
export class FeedPlaces {
  readonly #limits: { readonly most: number; readonly mostPerUser: number };
  readonly #ofUsers = new Map<string, number>();
  #taken = 0;

  constructor(limits: { readonly most: number; readonly mostPerUser: number }) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes a place; the function returned gives it back.
   *
   * @throws PlatformError REQ_TOO_MANY_REQUESTS where the user has too many; DATA_UNAVAILABLE where all have
   */
  take(username: string): () => void {
    const own = this.#ofUsers.get(username) ?? 0;
    if (own >= this.#limits.mostPerUser)
      throw new PlatformError(
        'REQ_TOO_MANY_REQUESTS',
        `More than ${this.#limits.mostPerUser} feeds of changes are open`,
        {
          headers: { 'Retry-After': '5' },
        },
      );
    if (this.#taken >= this.#limits.most)
      throw new PlatformError('DATA_UNAVAILABLE', 'Too many feeds of changes are open', {
        headers: { 'Retry-After': '5' },
      });
    this.#taken += 1;
    this.#ofUsers.set(username, own + 1);
    return () => {
      this.#taken -= 1;
      const left = (this.#ofUsers.get(username) ?? 1) - 1;
      if (left === 0) this.#ofUsers.delete(username);
      else this.#ofUsers.set(username, left);
    };
  }
}
