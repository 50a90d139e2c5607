import { AsyncLocalStorage } from 'node:async_hooks';
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { AdapterPayload } from 'oidc-provider';

/** An interaction before the first submission of the user. */
export interface PendingInteraction {
  readonly id: string;
  readonly payload: AdapterPayload;
}

interface Held {
  /** The interaction of the request. */
  readonly given: PendingInteraction | undefined;
  /** The interaction that oidc-provider saved while the request was served. */
  saved?: PendingInteraction;
}

/**
 * Interactions before the first submission of the user. The browser keeps them, encrypted, in the URL of the login
 * page: since an authorization request needs no login, any client could fill a store on the server.
 */
export interface PendingInteractions {
  /** Serves a request that may contain an interaction, and may start one. */
  serve<T>(state: string | undefined, work: () => T): Promise<T>;
  /** The interaction of the current request; undefined if it has another one or none. */
  find(id: string): PendingInteraction | undefined;
  /** Keeps an interaction for the URL; false outside of `serve`. */
  save(pending: PendingInteraction): boolean;
  /** The interaction of the current request, encrypted for a URL; undefined if there is none. */
  stateOf(id: string): Promise<string | undefined>;
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
/** Encrypted interactions are never larger. */
const MAX_INFLATED_BYTES = 64 * 1024;

const deflate = promisify(deflateRaw);
const inflate = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(inflateRaw);

/** @param secret the same in all replicas */
export function createPendingInteractions(secret: string): PendingInteractions {
  const key = createHmac('sha256', secret).update('pending interactions').digest();
  const current = new AsyncLocalStorage<Held>();

  async function open(state: string): Promise<PendingInteraction | undefined> {
    const bytes = Buffer.from(state, 'base64url');
    if (bytes.length < HEAD_BYTES || bytes[0] !== VERSION) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEAD_BYTES));
    try {
      const deflated = Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]);
      const text = (await inflate(deflated, { maxOutputLength: MAX_INFLATED_BYTES })).toString('utf8');
      const pending = JSON.parse(text) as PendingInteraction;
      return (pending.payload.exp ?? 0) * 1_000 > Date.now() ? pending : undefined;
    } catch {
      // The text was not encrypted by this service, or was changed: there is no such interaction.
      return undefined;
    }
  }

  return {
    async serve(state, work) {
      const given = state === undefined ? undefined : await open(state);
      return current.run({ given }, work);
    },
    find(id) {
      const given = current.getStore()?.given;
      return given?.id === id ? given : undefined;
    },
    save(pending) {
      const held = current.getStore();
      if (held === undefined) return false;
      held.saved = pending;
      return true;
    },
    async stateOf(id) {
      const held = current.getStore();
      const pending = [held?.saved, held?.given].find((each) => each?.id === id);
      if (pending === undefined) return undefined;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const encrypted = Buffer.concat([
        cipher.update(await deflate(Buffer.from(JSON.stringify(pending)))),
        cipher.final(),
      ]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
    },
  };
}
