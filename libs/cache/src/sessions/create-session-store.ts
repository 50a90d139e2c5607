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
    async loadAll(ids) {
      if (ids.length === 0) return [];
      const texts = await store.getMany(ids.map(sessionKey));
      return texts.map((text) => (text === undefined ? undefined : parseSession(text)));
    },
    async save(session, ttlMs) {
      // Index first: "end all sessions of this user" would miss a session that is in no index. Of a client there may
      // be many one after the other: its index would grow for as long as it has a session.
      if (session.kind !== 'client') await store.addToSet(userKey(session.username), session.id, ttlMs);
      await store.set(sessionKey(session.id), JSON.stringify(session), ttlMs);
    },
    async delete(id) {
      const session = await load(id);
      await store.delete(sessionKey(id), seenKey(id));
      if (session !== undefined && session.kind !== 'client') await store.removeFromSet(userKey(session.username), id);
    },
    async deleteOf(username, ids) {
      await store.delete(...ids.flatMap((id) => [sessionKey(id), seenKey(id)]));
      await store.removeFromSet(userKey(username), ...ids);
    },
    recordSeen: (id, atMs) => store.set(seenKey(id), String(atMs), SEEN_TTL_MS),
    async lastSeenMs(id) {
      const text = await store.get(seenKey(id));
      return text === undefined ? undefined : Number(text);
    },
    async lastSeenOf(ids) {
      if (ids.length === 0) return [];
      const texts = await store.getMany(ids.map(seenKey));
      return texts.map((text) => (text === undefined ? undefined : Number(text)));
    },
    async idsOf(username) {
      const ids = await store.membersOf(userKey(username));
      const stored = await store.getMany(ids.map(sessionKey));
      return ids.filter((_, index) => stored[index] !== undefined);
    },
  };
}

/** As long as an unused session is kept. */
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
