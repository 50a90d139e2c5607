import { createHash } from 'node:crypto';
import type { KeyValueStore } from '@lintel/cache';
import { verifyJwt } from '@lintel/http';
import { decodeJwt } from 'jose';
import type { Client, ClientRegistry } from '../../clients/client.ts';
import { ASSERTION_ALGORITHMS } from '../../clients/client-keys.ts';
import type { Clock } from '../../ports.ts';
import type { Form } from '../oauth/form.ts';

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** An assertion is signed for one request: a longer life would only help a thief. */
const MAX_LIFE_SECONDS = 300;
const CLOCK_TOLERANCE_SECONDS = 30;

export interface AssertionDeps {
  readonly issuer: string;
  readonly clients: Pick<ClientRegistry, 'find' | 'keysOf'>;
  readonly keyValues: Pick<KeyValueStore, 'increment'>;
  readonly clock: Clock;
}

/** Whether a client authenticates by an assertion that it has signed (RFC 7523). */
export const hasAssertion = (form: Form): boolean => form.get('client_assertion_type') === ASSERTION_TYPE;

/** The client that an assertion names; not verified. */
export function namedClient(assertion: string): string | undefined {
  try {
    const { sub } = decodeJwt(assertion);
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    // The text is no JWT.
    return undefined;
  }
}

/**
 * The client that has signed an assertion for this server. Each is accepted once, within five minutes. Undefined for a
 * wrong signature, another audience, several audiences, one that has expired or has been used.
 */
export async function verifyAssertion(
  assertion: string,
  { issuer, clients, keyValues, clock }: AssertionDeps,
): Promise<Client | undefined> {
  const clientId = namedClient(assertion) ?? '';
  const client = clients.find(clientId);
  const keys = clients.keysOf(clientId);
  if (client === undefined || keys === undefined) return undefined;
  const now = Math.floor(clock.now() / 1_000);
  try {
    const { payload } = await verifyJwt(assertion, keys, {
      algorithms: [...ASSERTION_ALGORITHMS],
      issuer: clientId,
      subject: clientId,
      audience: [issuer, `${issuer}/oauth2/token`],
      requiredClaims: ['exp', 'jti'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(clock.now()),
    });
    const { aud, exp = 0, jti = '' } = payload;
    // With a further audience that server could use the assertion here.
    if (Array.isArray(aud) && aud.length !== 1) return undefined;
    if (exp > now + MAX_LIFE_SECONDS + CLOCK_TOLERANCE_SECONDS || jti === '') return undefined;
    const key = createHash('sha256')
      .update(JSON.stringify([clientId, jti]))
      .digest('base64url');
    const lifeMs = (exp - now + 2 * CLOCK_TOLERANCE_SECONDS) * 1_000;
    return (await keyValues.increment(`client-assertion:${key}`, lifeMs)) === 1 ? client : undefined;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** An error of the verification; others are outages of the store. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_J');
