import { CacheMeter, declareCache } from '@lintel/cache';
import { ConfigurationError } from '@lintel/config';
import type { Database, StatementRunner } from '@lintel/persistence';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Clock } from '../ports.ts';
import { decryptText, encryptText } from './encrypt-text.ts';

/** The cheapest algorithm to verify, which every service does for each request. */
const ALGORITHM = 'RS256';
const MODULUS_BITS = 2048;
/** An advisory lock that no other code uses: the letters of "keys". */
const LOCK_KEY = 0x6b65_7973;

/** Interval at which the keys are read without an event, since other replicas change them. */
export const RELOAD_INTERVAL_MS = 3_600_000;

const KEY_RING = declareCache({
  name: 'key-ring',
  holds: 'the keys with which auth signs, decrypted',
  where: ['auth'],
  keyedBy: 'one value',
  maxEntries: 1,
  invalidatedBy: ['auth.keys.rotated.v1'],
  staleness: RELOAD_INTERVAL_MS,
  ownWrites:
    'a key signs 15 min after it was made, when all verifiers have it; withdrawn keys are refused within a second',
  whileAway: 'PostgreSQL: the keys stay in use; a new key is published 15 min before it is used to sign',
});

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/** The keys that sign and verify the tokens of this service. */
export interface KeyRing {
  /** The key that signs at present. */
  current(): SigningKey;
  readonly meter: CacheMeter;
  /** All keys that a valid token may be signed with; public members only. The same array until they change. */
  publicJwks(): readonly JWK[];
  /** The private keys as JWKs, for oidc-provider; the signing one comes first. */
  privateJwks(): readonly JWK[];
  /** Reads the keys again. Returns whether the keys, or the signing one, have changed since the last call. */
  reload(): Promise<boolean>;
  /**
   * Creates a new key, which signs after all verifiers had time to load it; tokens of the former keys stay valid. If
   * the former keys have been disclosed, `retireOthers` makes the new one sign at once and invalidates the former ones.
   *
   * @returns the id of the new key
   */
  rotate(options: { readonly retireOthers: boolean }): Promise<string>;
  /** Creates a new key if the newest one is older; only one replica does. Returns its id. */
  rotateIfOlderThan(ageMs: number): Promise<string | undefined>;
  /** Removes keys that have been superseded for longer than the lifetime of all tokens. */
  removeSuperseded(longestTokenMs: number): Promise<void>;
}

export interface KeyRingDeps {
  readonly database: Database;
  readonly secret: string;
  readonly ids: { next(): string };
  readonly clock: Clock;
}

interface KeyRow {
  readonly kid: string;
  readonly public_jwk: string;
  readonly private_jwk_encrypted: Buffer;
  readonly created_ms: string;
}

/** Longer than verifiers cache keys: the gateway and the services 10 minutes, others 5 (`Cache-Control`). */
export const ANNOUNCE_MS = 15 * 60_000;

interface OpenKey {
  readonly kid: string;
  readonly createdMs: number;
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
  readonly privateKey: CryptoKey;
}

/**
 * Loads the signing keys; the first replica of a new installation creates one, the others wait for it.
 *
 * @throws ConfigurationError if the secret is not the one the keys were stored with
 */
export async function loadKeyRing(deps: KeyRingDeps): Promise<KeyRing> {
  const ring = createKeyRing(deps);
  const stored = await selectKeys(deps.database);
  if (stored.length === 0) await ring.rotateIfOlderThan(Number.POSITIVE_INFINITY);
  await ring.reload();
  return ring;
}

function createKeyRing({ database, secret, ids, clock }: KeyRingDeps): KeyRing {
  let readAtMs = 0;
  /** The newest one first. */
  let keys: readonly OpenKey[] = [];
  let publicJwks: readonly JWK[] = [];
  /** The key that signed at the last check. */
  let signing: string | undefined;
  const meter = new CacheMeter(KEY_RING.name, { entries: () => 1, oldestAgeMs: () => clock.now() - readAtMs });

  const current = (): OpenKey => {
    meter.hits += 1;
    const now = clock.now();
    const key = keys.find(({ createdMs }) => createdMs + ANNOUNCE_MS <= now) ?? keys.at(-1);
    if (key === undefined) throw new Error('There is no signing key after one was made');
    return key;
  };
  /** Whether the signing key has changed since the last call: an announced key starts to sign at a certain time. */
  const hasSigningKeyChanged = (): boolean => {
    const { kid } = current();
    const hasChanged = kid !== signing;
    signing = kid;
    return hasChanged;
  };
  return {
    meter,
    current,
    publicJwks: () => publicJwks,
    privateJwks() {
      const first = current();
      return [first, ...keys.filter((key) => key !== first)].map(({ privateJwk }) => privateJwk);
    },
    async reload() {
      meter.misses += 1;
      const nowMs = clock.now();
      const rows = await selectKeys(database);
      readAtMs = nowMs;
      const known = new Map(keys.map((key) => [key.kid, key]));
      if (rows.length === known.size && rows.every(({ kid }) => known.has(kid))) return hasSigningKeyChanged();
      keys = await Promise.all(rows.map(async (row) => known.get(row.kid) ?? openKey(row, secret)));
      publicJwks = keys.map(({ publicJwk }) => publicJwk);
      hasSigningKeyChanged();
      return true;
    },
    async rotate({ retireOthers }) {
      const kid = ids.next();
      await database.transaction(async (transaction) => {
        await transaction.query(LOCK);
        if (retireOthers)
          await transaction.query({
            text: 'UPDATE auth.signing_key SET retired_at = now() WHERE retired_at IS NULL',
            values: [],
          });
        await insertKey(transaction, secret, kid);
      });
      return kid;
    },
    rotateIfOlderThan: (ageMs) =>
      database.transaction(async (transaction) => {
        await transaction.query(LOCK);
        const [newest] = await selectKeys(transaction);
        if (newest !== undefined && clock.now() - Number(newest.created_ms) <= ageMs) return undefined;
        const kid = ids.next();
        await insertKey(transaction, secret, kid);
        return kid;
      }),
    async removeSuperseded(longestTokenMs) {
      await database.query({
        text: `DELETE FROM auth.signing_key AS old WHERE EXISTS (
  SELECT FROM auth.signing_key AS newer
  WHERE newer.retired_at IS NULL AND newer.created_at > old.created_at
    AND newer.created_at < now() - $1::float8 * interval '1 millisecond')`,
        values: [ANNOUNCE_MS + longestTokenMs],
      });
    },
  };
}

const LOCK = { text: 'SELECT pg_advisory_xact_lock($1)', values: [LOCK_KEY] };

const selectKeys = (runner: StatementRunner): Promise<readonly KeyRow[]> =>
  runner.query<KeyRow>({
    text: `SELECT kid, public_jwk, private_jwk_encrypted, floor(extract(epoch FROM created_at) * 1000)::bigint AS created_ms
FROM auth.signing_key WHERE retired_at IS NULL ORDER BY created_at DESC, kid`,
    values: [],
  });

async function insertKey(runner: StatementRunner, secret: string, kid: string): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, {
    modulusLength: MODULUS_BITS,
    extractable: true,
  });
  const members = { kid, alg: ALGORITHM, use: 'sig' };
  const publicJwk = { ...(await exportJWK(publicKey)), ...members };
  const privateJwk = { ...(await exportJWK(privateKey)), ...members };
  await runner.query({
    text: 'INSERT INTO auth.signing_key (kid, algorithm, public_jwk, private_jwk_encrypted) VALUES ($1, $2, $3, $4)',
    values: [kid, ALGORITHM, JSON.stringify(publicJwk), await encryptText(JSON.stringify(privateJwk), secret, kid)],
  });
}

async function openKey(row: KeyRow, secret: string): Promise<OpenKey> {
  const text = await decryptText(row.private_jwk_encrypted, secret, row.kid);
  if (text === undefined)
    throw new ConfigurationError([
      'svc.authserver.key-encryption-secret: is not the secret that the signing keys in this database were stored ' +
        'with; set the former one, or remove the rows of auth.signing_key to start with a new key',
    ]);
  const privateJwk = JSON.parse(text) as JWK;
  return {
    kid: row.kid,
    createdMs: Number(row.created_ms),
    publicJwk: JSON.parse(row.public_jwk) as JWK,
    privateJwk,
    privateKey: (await importJWK(privateJwk, ALGORITHM)) as CryptoKey,
  };
}
