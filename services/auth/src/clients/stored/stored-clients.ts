import { CacheMeter, declareCache } from '@lintel/cache';
import type { Logger } from '@lintel/telemetry';
import type { Clock } from '../../ports.ts';
import type { Client, ClientEntry, StoredEntries } from '../client.ts';
import { keyFinderOf } from '../client-keys.ts';
import { createSecretCheck, type SecretCheck } from '../client-secret.ts';
import type { ClientDefaults } from '../define-client.ts';
import { clientMetadataSchema, clientOf } from './client-metadata.ts';
import type { ClientStore, StoredClient, StoredSecret } from './client-store.ts';

/** Interval at which changes are looked for without an event. */
export const LOOK_INTERVAL_MS = 30_000;

const CLIENTS = declareCache({
  name: 'clients',
  holds: 'the OAuth clients of the database',
  where: ['auth'],
  keyedBy: 'one value',
  maxEntries: 1,
  invalidatedBy: ['auth.client.changed.v1'],
  staleness: LOOK_INTERVAL_MS,
  ownWrites: 'before the response',
  whileAway: 'PostgreSQL: the clients stay in use; without it tokens of users are not issued, either',
});

export interface StoredClientsDeps {
  readonly store: Pick<ClientStore, 'load' | 'state'>;
  readonly defaults: ClientDefaults;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The clients of the database, in memory: token requests run no statement for them. */
export interface StoredClients extends StoredEntries {
  readonly meter: CacheMeter;
  /** The stored form of all clients, those that may not be used as well, by id. */
  stored(): readonly StoredClient[];
  /** Reads clients again, those of the ids or all, and calls the listener. */
  reload(clientIds?: readonly string[]): Promise<void>;
  /** Reads all clients again if one has changed. */
  look(): Promise<void>;
  /** Calls a function after each change; `reload` waits for it. */
  onChange(listener: () => Promise<void>): void;
}

interface Loaded {
  readonly stored: StoredClient;
  readonly entry: ClientEntry;
  readonly endsMs: number;
}

const endOf = (time: string | null): number => (time === null ? Number.POSITIVE_INFINITY : Date.parse(time));

export function createStoredClients({ store, defaults, clock, logger }: StoredClientsDeps): StoredClients {
  const loaded = new Map<string, Loaded>();
  /** The checks remember which secret was right: they are kept as long as the secret. */
  const checks = new Map<string, SecretCheck>();
  let state: string | undefined;
  let listener: (() => Promise<void>) | undefined;
  let readAtMs = clock.now();
  const meter = new CacheMeter(CLIENTS.name, { entries: () => 1, oldestAgeMs: () => clock.now() - readAtMs });

  const checkOf = ({ id, hash }: StoredSecret): SecretCheck => {
    const known = checks.get(id) ?? createSecretCheck(hash);
    checks.set(id, known);
    return known;
  };
  const isSecretOf =
    (secrets: readonly StoredSecret[]): SecretCheck =>
    async (text, hashing) => {
      for (const secret of secrets)
        if (endOf(secret.expiresAt) > clock.now() && (await checkOf(secret)(text, hashing))) return true;
      return false;
    };
  const load = (stored: StoredClient): Loaded | undefined => {
    const metadata = clientMetadataSchema.safeParse(stored.metadata);
    if (!metadata.success) {
      logger.warn({ client: stored.clientId }, 'a client of the database is not valid for this version');
      return undefined;
    }
    const client = clientOf(stored.clientId, metadata.data, defaults);
    const keys = metadata.data.jwks === undefined ? {} : { keys: keyFinderOf(JSON.stringify(metadata.data.jwks)) };
    const secret = stored.secrets.length === 0 ? {} : { isSecret: isSecretOf(stored.secrets) };
    return { stored, entry: { client, ...keys, ...secret }, endsMs: endOf(stored.expiresAt) };
  };
  const mayBeUsed = ({ stored, endsMs }: Loaded): boolean => stored.isEnabled && endsMs > clock.now();

  async function read(clientIds?: readonly string[]): Promise<void> {
    const found = await store.load(clientIds);
    for (const clientId of clientIds ?? loaded.keys()) loaded.delete(clientId);
    for (const stored of found) {
      const each = load(stored);
      if (each !== undefined) loaded.set(stored.clientId, each);
    }
    const secrets = new Set([...loaded.values()].flatMap(({ stored }) => stored.secrets.map(({ id }) => id)));
    for (const id of checks.keys()) if (!secrets.has(id)) checks.delete(id);
    readAtMs = clock.now();
    await listener?.();
  }

  let last: Promise<void> = Promise.resolve();
  /** One at a time: otherwise a statement that began earlier could overwrite what a later one has read. */
  const reload = (clientIds?: readonly string[]): Promise<void> => {
    const next = () => read(clientIds);
    last = last.then(next, next);
    return last;
  };

  return {
    meter,
    find(clientId) {
      const each = loaded.get(clientId);
      if (each === undefined) return undefined;
      meter.hits += 1;
      return mayBeUsed(each) ? each.entry : undefined;
    },
    all: (): readonly Client[] => [...loaded.values()].filter(mayBeUsed).map(({ entry }) => entry.client),
    stored: () =>
      [...loaded.values()].map(({ stored }) => stored).sort((one, other) => (one.clientId < other.clientId ? -1 : 1)),
    reload,
    async look() {
      const now = await store.state();
      if (now !== state) await reload();
      state = now;
      readAtMs = clock.now();
    },
    onChange(called) {
      listener = called;
    },
  };
}
