import { type Session, sessionSchema } from '@lintel/contracts';
import type { KeyValueStore } from '../stores/key-value-store.ts';
import type { SessionStore } from './session-store.ts';

/**
 * Sessions as JSON in a key-value store, with a set of session ids per user. A session written in a form
 * that is not readable any more counts as lost: the client gets one 401 and a new session.
 */
export function createSessionStore(store: KeyValueStore): SessionStore {
  const load = async (id: string): Promise<Session | undefined> => {
    const text = await store.get(sessionKey(id));
    return text === undefined ? undefined : parseSession(text);
  };
  return {
    load,
    async save(session, ttlMs) {
      // Index first: a session that is in no index would escape "end all sessions of this user".
      await store.addToSet(userKey(session.username), session.id, ttlMs);
      await store.set(sessionKey(session.id), JSON.stringify(session), ttlMs);
    },
    async delete(id) {
      const session = await load(id);
      await store.delete(sessionKey(id), seenKey(id));
      if (session !== undefined) await store.removeFromSet(userKey(session.username), id);
    },
    markSeen: (id, atMs) => store.set(seenKey(id), String(atMs), SEEN_TTL_MS),
    async lastSeenMs(id) {
      const text = await store.get(seenKey(id));
      return text === undefined ? undefined : Number(text);
    },
    async idsOf(username) {
      const ids = await store.membersOf(userKey(username));
      const alive = await Promise.all(ids.map(async (id) => (await store.get(sessionKey(id))) !== undefined));
      return ids.filter((_, index) => alive[index]);
    },
  };
}

/** As long as a session that nobody uses is kept. */
const SEEN_TTL_MS = 30 * 24 * 3_600_000;

const sessionKey = (id: string): string => `session:${id}`;
const seenKey = (id: string): string => `session-seen:${id}`;
const userKey = (username: string): string => `user-sessions:${username}`;

function parseSession(text: string): Session | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  return sessionSchema.safeParse(json).data;
}
