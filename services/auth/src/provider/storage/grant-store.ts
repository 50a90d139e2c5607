import type { KeyValueStore } from '@lintel/cache';
import { type Database, rowsOf } from '@lintel/persistence';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { PendingInteractions } from '../pending-interactions.ts';
import { createDurableAdapter } from './durable-adapter.ts';
import { EXCHANGEABLE, type ExchangeableModel, isDurable } from './model-names.ts';
import { createShortLivedAdapter, findStored, removeStored, removeTokensOfGrants } from './short-lived-adapter.ts';
import type { TokenEvents } from './token-events.ts';

/** A denial needs no login either: it is kept only as long as a browser needs to follow a redirect. */
const REFUSED_SECONDS = 60;

/** Stores an interaction after the first submission of the user; before it, the browser keeps it. */
function createInteractionAdapter(store: KeyValueStore, events: TokenEvents, pending: PendingInteractions): Adapter {
  const stored = createShortLivedAdapter('Interaction', store, events);
  return {
    ...stored,
    async upsert(id, payload, expiresIn) {
      // The step after the login is stored on the server: its URL would replace the password.
      const isUnanswered = payload.result === undefined && payload.lastSubmission === undefined;
      if (isUnanswered && pending.save({ id, payload })) return;
      const isRefused = payload.result !== undefined && 'error' in payload.result;
      await stored.upsert(id, payload, isRefused ? REFUSED_SECONDS : expiresIn);
    },
    async find(id) {
      const found = pending.find(id);
      return found === undefined ? stored.find(id) : { ...found.payload, jti: id };
    },
  };
}

/** How long expired rows are kept, so that a late refresh is refused as "expired" once (contract/tokens.md#refresh). */
const KEEP_EXPIRED = '7 days';

/** Storage of all models of oidc-provider, and the end of those that belong together. */
export interface GrantStore {
  /** The adapter of one model for oidc-provider. */
  adapterOf(model: string): Adapter;
  /** An access token of a user or a client by its stored id; expired ones are found for some time, too. */
  findAccessToken(storedId: string): Promise<StoredAccess | undefined>;
  /** Ends one access token, but not its refresh token. */
  endAccessToken(model: ExchangeableModel, storedId: string): Promise<void>;
  /** Ends grants with their access tokens, codes and refresh tokens. */
  endGrants(grantIds: readonly string[]): Promise<void>;
  /** Ends the access tokens of a grant, but not its refresh token. */
  endAccessTokens(grantId: string): Promise<void>;
  /** Removes rows whose retention has ended. */
  purgeExpired(): Promise<void>;
}

/** An access token as oidc-provider stored it. */
export interface StoredAccess {
  readonly model: ExchangeableModel;
  readonly payload: AdapterPayload;
}

export interface GrantStoreDeps {
  readonly database: Database;
  readonly keyValues: KeyValueStore;
  readonly events: TokenEvents;
  readonly pending: PendingInteractions;
}

const END_GRANTS = `DELETE FROM auth.oidc_model
WHERE grant_id = ANY($1::text[]) AND model <> 'Login' OR model = 'Grant' AND id = ANY($1::text[])`;

export function createGrantStore({ database, keyValues, events, pending }: GrantStoreDeps): GrantStore {
  return {
    adapterOf(model) {
      if (isDurable(model)) return createDurableAdapter(model, database);
      return model === 'Interaction'
        ? createInteractionAdapter(keyValues, events, pending)
        : createShortLivedAdapter(model, keyValues, events);
    },
    async findAccessToken(storedId) {
      for (const model of EXCHANGEABLE) {
        const payload = await findStored(keyValues, model, storedId);
        if (payload !== undefined) return { model, payload };
      }
      return undefined;
    },
    endAccessToken: (model, storedId) => removeStored(keyValues, events, model, storedId),
    async endGrants(grantIds) {
      // The refresh tokens first: otherwise new access tokens could be issued for them meanwhile.
      await rowsOf(database, 'auth_end_grants', END_GRANTS, [grantIds]);
      await removeTokensOfGrants(keyValues, events, grantIds);
    },
    endAccessTokens: (grantId) =>
      removeTokensOfGrants(keyValues, events, [grantId], (model) => model === 'AccessToken'),
    async purgeExpired() {
      await database.query({
        text: `DELETE FROM auth.oidc_model WHERE expires_at < now() - interval '${KEEP_EXPIRED}'`,
        values: [],
      });
    },
  };
}
