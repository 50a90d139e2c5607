import { AsyncLocalStorage } from 'node:async_hooks';
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { AdapterPayload } from 'oidc-provider';

/** An interaction in which the person has done nothing yet. */
export interface PendingInteraction {
  readonly id: string;
  readonly payload: AdapterPayload;
}

interface Held {
  /** What the request brought with it. */
  readonly given: PendingInteraction | undefined;
  /** What oidc-provider saved while the request was served. */
  saved?: PendingInteraction;
}

/**
 * Interactions in which the person has done nothing yet, which the browser keeps: encrypted, in the address of the login
 * page. A request for authorization needs no login, so what it leaves on the server could be multiplied by everybody.
 */
export interface PendingInteractions {
  /** Serves a request that may bring an interaction, and may begin one. */
  serve<T>(state: string | undefined, work: () => T): Promise<T>;
  /** The interaction that the current request brought; undefined where it brought another one or none. */
  find(id: string): PendingInteraction | undefined;
  /** Holds an interaction for the address; false outside of `serve`. */
  save(pending: PendingInteraction): boolean;
  /** The interaction that the current request began, as text for an address; undefined where it began none. */
  stateOf(id: string): Promise<string | undefined>;
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
/** What was encrypted here is never larger. */
const MAX_INFLATED_BYTES = 64 * 1024;

const deflate = promisify(deflateRaw);
const inflate = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(inflateRaw);

/** @param secret known to all replicas */
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
      // It was not encrypted here, or was changed: there is no such interaction.
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
