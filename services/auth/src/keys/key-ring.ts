import { ConfigurationError } from '@lintel/config';
import type { Database, StatementRunner } from '@lintel/persistence';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { seal, unseal } from './seal.ts';

/** RS256: the cheapest to verify, which every service does for each request (design/performance.md). */
const ALGORITHM = 'RS256';
const MODULUS_BITS = 2048;
/** Any number that nobody else locks: the letters of "keys". */
const LOCK_KEY = 0x6b65_7973;

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/** The keys that sign and verify the tokens of this service. */
export interface KeyRing {
  /** The newest key that is not retired. */
  readonly current: SigningKey;
  /** Every key that a valid token may be signed with; public members only. */
  readonly publicJwks: readonly JWK[];
  /** The private keys as JWKs, for oidc-provider. */
  readonly privateJwks: readonly JWK[];
}

export interface LoadKeyRingDeps {
  readonly database: Database;
  readonly secret: string;
  readonly ids: { next(): string };
}

interface KeyRow {
  readonly kid: string;
  readonly public_jwk: string;
  readonly private_jwk_encrypted: Buffer;
  readonly retired: boolean;
}

/**
 * Loads the signing keys; the first replica of a new installation makes one, the others wait for it.
 *
 * @throws ConfigurationError where the secret is not the one the keys were stored with
 */
export async function loadKeyRing({ database, secret, ids }: LoadKeyRingDeps): Promise<KeyRing> {
  const rows = await database.transaction(async (transaction) => {
    await transaction.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [LOCK_KEY] });
    const known = await selectKeys(transaction);
    if (known.some(({ retired }) => !retired)) return known;
    await insertKey(transaction, secret, ids.next());
    return selectKeys(transaction);
  });
  const privateJwks = await Promise.all(rows.map((row) => openKey(row, secret)));
  const newest = rows.findIndex(({ retired }) => !retired);
  const [row, jwk] = [rows[newest], privateJwks[newest]];
  if (row === undefined || jwk === undefined) throw new Error('There is no signing key after one was made');
  return {
    current: { kid: row.kid, privateKey: (await importJWK(jwk, ALGORITHM)) as CryptoKey },
    publicJwks: rows.map(({ public_jwk }) => JSON.parse(public_jwk) as JWK),
    privateJwks,
  };
}

const selectKeys = (runner: StatementRunner): Promise<readonly KeyRow[]> =>
  runner.query<KeyRow>({
    text: `SELECT kid, public_jwk, private_jwk_encrypted, retired_at IS NOT NULL AS retired
FROM auth.signing_key ORDER BY created_at DESC, kid`,
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
    values: [kid, ALGORITHM, JSON.stringify(publicJwk), await seal(JSON.stringify(privateJwk), secret, kid)],
  });
}

async function openKey(row: KeyRow, secret: string): Promise<JWK> {
  const text = await unseal(row.private_jwk_encrypted, secret, row.kid);
  if (text === undefined)
    throw new ConfigurationError([
      'svc.authserver.key-encryption-secret: is not the secret that the signing keys in this database were stored ' +
        'with; set the former one, or remove the rows of auth.signing_key to start with a new key',
    ]);
  return JSON.parse(text) as JWK;
}
