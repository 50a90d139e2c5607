import type { TokenResponse } from './token-endpoint.ts';
import type { TokenStorage } from './token-storage.ts';

/** The tokens of a login. */
export interface Stored {
  readonly access: string;
  readonly refresh?: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  /** Requested by the client for itself. */
  readonly own?: true;
}

/** The tokens of one login in a storage. */
export interface LoginStore {
  load(): Promise<Stored | undefined>;
  /** Stores the tokens of a response; what it does not have stays as it was. Returns the access token. */
  keep(response: TokenResponse, before?: Pick<Stored, 'refresh' | 'own'>): Promise<string>;
  remove(): Promise<unknown>;
  /** Changes are made one after the other. */
  serially<T>(change: () => Promise<T>): Promise<T>;
}

export function createLoginStore(storage: TokenStorage, key: string): LoginStore {
  let lastChange: Promise<unknown> = Promise.resolve();
  return {
    async load() {
      const text = await storage.getItem(key);
      return text === null ? undefined : (JSON.parse(text) as Stored);
    },
    async keep(response, before) {
      const { access_token: access, refresh_token: refresh = before?.refresh, expires_in: seconds } = response;
      const expiresAt = seconds === undefined ? undefined : Date.now() + seconds * 1000;
      const stored: Stored = { access, refresh, expiresAt, ...(before?.own && { own: true }) };
      await storage.setItem(key, JSON.stringify(stored));
      return access;
    },
    remove: async () => storage.removeItem(key),
    serially(change) {
      const made = lastChange.then(change);
      lastChange = made.catch(() => {});
      return made;
    },
  };
}
