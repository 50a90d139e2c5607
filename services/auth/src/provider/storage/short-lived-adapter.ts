import type { KeyValueStore } from '@lintel/cache';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { ConsumedError, isExchangeable, storedIdOf, withoutSecretId } from './model-names.ts';
import type { GoneToken, TokenEvents } from './token-events.ts';

/**
 * How long an expired access token is kept, so that its first use is refused as "expired"
 * (contract/tokens.md#unauthorized).
 */
const EXPIRED_GRACE_MS = 3_600_000;
const DEFAULT_TTL_MS = 24 * 3_600_000;

const modelKey = (model: string, storedId: string): string => `oidc:${model}:${storedId}`;
const grantKey = (grantId: string): string => `oidc:grant:${grantId}`;
const uidKey = (uid: string): string => `oidc:uid:${uid}`;
const userCodeKey = (userCode: string): string => `oidc:user-code:${userCode}`;
const consumedKey = (model: string, storedId: string): string => `oidc:consumed:${model}:${storedId}`;

/** Access tokens, codes, browser sessions and the like, in the key-value store. */
export function createShortLivedAdapter(model: string, store: KeyValueStore, events: TokenEvents): Adapter {
  const save = (storedId: string, payload: AdapterPayload, ttlMs: number): Promise<void> =>
    store.set(modelKey(model, storedId), JSON.stringify(withoutSecretId(model, payload)), ttlMs);

  async function find(id: string): Promise<AdapterPayload | undefined> {
    const payload = await findStored(store, model, storedIdOf(model, id));
    return payload && { ...payload, jti: id };
  }

  async function findByIndex(key: string): Promise<AdapterPayload | undefined> {
    const id = await store.get(key);
    return id === undefined ? undefined : find(id);
  }

  return {
    async upsert(id, payload, expiresIn) {
      const storedId = storedIdOf(model, id);
      const ttlMs =
        (expiresIn === undefined ? DEFAULT_TTL_MS : expiresIn * 1000) + (isExchangeable(model) ? EXPIRED_GRACE_MS : 0);
      // Indexes first: a token that is in no index could not be revoked.
      if (payload.grantId !== undefined) await store.addToSet(grantKey(payload.grantId), `${model}:${storedId}`, ttlMs);
      if (payload.uid !== undefined) await store.set(uidKey(payload.uid), id, ttlMs);
      if (payload.userCode !== undefined) await store.set(userCodeKey(payload.userCode), id, ttlMs);
      await save(storedId, payload, ttlMs);
    },
    find,
    findByUid: (uid) => findByIndex(uidKey(uid)),
    findByUserCode: (userCode) => findByIndex(userCodeKey(userCode)),
    /**
     * Marks a code as used: of two concurrent calls the second fails.
     *
     * @throws ConsumedError if it was used before
     */
    async consume(id) {
      const storedId = storedIdOf(model, id);
      const payload = await find(id);
      if (payload === undefined) return;
      const remainingMs = payload.exp === undefined ? DEFAULT_TTL_MS : Math.max(1_000, payload.exp * 1000 - Date.now());
      const uses = await store.increment(consumedKey(model, storedId), remainingMs);
      if (uses > 1) throw new ConsumedError(model);
      await save(storedId, { ...payload, consumed: Math.floor(Date.now() / 1000) }, remainingMs);
    },
    destroy: (id) => removeStored(store, events, model, storedIdOf(model, id)),
    revokeByGrantId: (grantId) => removeTokensOfGrants(store, events, [grantId], (each) => each === model),
  };
}

/** Removes all short-lived models of grants. */
export async function removeTokensOfGrants(
  store: KeyValueStore,
  events: TokenEvents,
  grantIds: readonly string[],
  isAffected: (model: string) => boolean = () => true,
): Promise<void> {
  const members = (
    await Promise.all(
      grantIds.map(async (grantId) => (await store.membersOf(grantKey(grantId))).map((text) => ({ grantId, text }))),
    )
  )
    .flat()
    .map(({ grantId, text }) => ({ grantId, text, model: text.slice(0, text.indexOf(':')) }))
    .filter(({ model }) => isAffected(model))
    .map((member) => ({ ...member, storedId: member.text.slice(member.model.length + 1) }));
  const texts = await store.getMany(members.map(({ model, storedId }) => modelKey(model, storedId)));
  const found = members.map((member, at) => ({ ...member, payload: payloadOf(texts[at]) }));
  await store.delete(...found.flatMap(({ model, storedId, payload }) => keysOf(model, storedId, payload)));
  // Member by member: a token that was added meanwhile stays in the index.
  await Promise.all(found.map(({ grantId, text }) => store.removeFromSet(grantKey(grantId), text)));
  await publish(
    events,
    found.map(({ model, storedId, payload }) => goneOf(model, storedId, payload)),
  );
}

/** The stored payload of a model, without its id. */
export async function findStored(
  store: KeyValueStore,
  model: string,
  storedId: string,
): Promise<AdapterPayload | undefined> {
  return payloadOf(await store.get(modelKey(model, storedId)));
}

const payloadOf = (text: string | undefined): AdapterPayload | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as AdapterPayload);

/** Removes a model, and publishes the removal of an access token. */
export async function removeStored(
  store: KeyValueStore,
  events: TokenEvents,
  model: string,
  storedId: string,
): Promise<void> {
  await publish(events, [await forget(store, model, storedId)]);
}

async function forget(store: KeyValueStore, model: string, storedId: string): Promise<GoneToken | undefined> {
  const payload = await findStored(store, model, storedId);
  if (payload === undefined) return undefined;
  await store.delete(...keysOf(model, storedId, payload));
  if (payload.grantId !== undefined) await store.removeFromSet(grantKey(payload.grantId), `${model}:${storedId}`);
  return goneOf(model, storedId, payload);
}

const keysOf = (model: string, storedId: string, payload: AdapterPayload | undefined): readonly string[] => [
  modelKey(model, storedId),
  ...(payload?.uid === undefined ? [] : [uidKey(payload.uid)]),
  ...(payload?.userCode === undefined ? [] : [userCodeKey(payload.userCode)]),
];

const goneOf = (model: string, storedId: string, payload: AdapterPayload | undefined): GoneToken | undefined =>
  payload !== undefined && isExchangeable(model)
    ? { tokenHash: storedId, sessionId: sessionIdOf(payload) ?? '' }
    : undefined;

async function publish(events: TokenEvents, gone: readonly (GoneToken | undefined)[]): Promise<void> {
  const tokens = gone.filter((token) => token !== undefined);
  if (tokens.length > 0) await events.onTokensGone(tokens);
}

/** The session of a stored access token: its own member, or an extra claim of client credentials. */
export function sessionIdOf(payload: Pick<AdapterPayload, 'sid' | 'extra'>): string | undefined {
  if (payload.sid !== undefined) return payload.sid;
  const sid = payload.extra?.['sid'];
  return typeof sid === 'string' ? sid : undefined;
}
