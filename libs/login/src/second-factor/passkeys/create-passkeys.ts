import { createHmac } from 'node:crypto';
import type { KeyValueStore } from '@lintel/cache';
import { isVerifyingKey } from '@lintel/http';
import type { SecurityLog } from '@lintel/telemetry';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { IdSource } from '../../login-ports.ts';
import type { FactorUser } from '../factors/check-code.ts';
import { MAX_FACTORS } from '../factors/factor-store.ts';
import type { PasskeyStore } from './passkey-store.ts';

const base64url = z.string().regex(/^[A-Za-z0-9_-]+={0,2}$/);

/** What all responses of browsers have; the library checks the rest. */
const credentialSchema = z.looseObject({
  id: base64url.max(1_400),
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
  response: z.looseObject({
    clientDataJSON: base64url,
    attestationObject: base64url.optional(),
    authenticatorData: base64url.optional(),
    signature: base64url.optional(),
    userHandle: base64url.optional(),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});

/** Pages of this server are never frames of other sites. */
const clientDataSchema = z.looseObject({ crossOrigin: z.literal(false).optional() });

/** The JSON that the script of the page has sent; undefined if it is of another kind, or of a frame. */
function readCredential<T>(text: string): T | undefined {
  try {
    const credential = credentialSchema.parse(JSON.parse(text));
    clientDataSchema.parse(JSON.parse(Buffer.from(credential.response.clientDataJSON, 'base64url').toString()));
    return credential as T;
  } catch {
    return undefined;
  }
}

/** What a response of a passkey is for: one for a login is not valid as a second factor. */
type PasskeyPurpose = 'login' | 'factor' | 'registration';

/** The challenges that passkeys sign. */
interface PasskeyChallenges {
  /** Always the same for a purpose, an interaction and a user. */
  of(purpose: PasskeyPurpose, interactionId: string, userId?: string): Buffer;
  /** Whether no response to the challenge was accepted before, in any replica. */
  isFirstUse(challenge: Buffer): Promise<boolean>;
}

/** Longer than an interaction lasts. */
const USED_MS = 15 * 60_000;

/** Derives challenges from the interaction, so that nothing is stored for requests without a user. */
function createPasskeyChallenges(secret: string, keyValues: Pick<KeyValueStore, 'increment'>): PasskeyChallenges {
  const key = createHmac('sha256', secret).update('passkey challenges').digest();
  return {
    of: (purpose, interactionId, userId = '') =>
      createHmac('sha256', key)
        .update(JSON.stringify([purpose, interactionId, userId]))
        .digest(),
    isFirstUse: async (challenge) =>
      (await keyValues.increment(`passkey:used:${challenge.toString('base64url')}`, USED_MS)) === 1,
  };
}

/** Passkeys of users (WebAuthn): as a second factor, and as a login without a password. */
export interface Passkeys {
  /** Options of a login by a passkey that knows its user, for the page of an interaction. */
  loginOptions(interactionId: string): Promise<object>;
  /** Options of a second factor; undefined if the user has no passkey. */
  factorOptions(interactionId: string, userId: string): Promise<object | undefined>;
  registrationOptions(interactionId: string, user: FactorUser): Promise<object>;
  /** The name of a user. */
  usernameOf(userId: string): Promise<string | undefined>;
  /** The id of the user whose passkey has signed, after the user was verified; undefined if it is not valid. */
  verifyLogin(interactionId: string, text: string): Promise<string | undefined>;
  verifyFactor(interactionId: string, userId: string, text: string): Promise<boolean>;
  /** Adds a passkey; false if the response or its key is not valid, or, for the first factor, if the user has one by now. */
  register(
    interactionId: string,
    user: FactorUser,
    text: string,
    name: string,
    which?: 'first' | 'further',
  ): Promise<boolean>;
}

export interface PasskeysDeps {
  readonly passkeys: PasskeyStore;
  readonly keyValues: Pick<KeyValueStore, 'increment'>;
  /** The same in all replicas. */
  readonly secret: string;
  /** The public address, which browsers bind passkeys to. */
  readonly issuer: string;
  readonly issuerName: string;
  readonly ids: IdSource;
  readonly security: SecurityLog;
}

const TIMEOUT_MS = 300_000;

/** Loaded with the first passkey: it brings 250 modules for certificates. */
const library = () => import('@simplewebauthn/server');

const handleOf = (userId: string): Buffer => Buffer.from(userId.replaceAll('-', ''), 'hex');

/** A response is accepted once. */
export function createPasskeys(deps: PasskeysDeps): Passkeys {
  const { passkeys, keyValues, secret, issuer, issuerName, ids, security } = deps;
  const { hostname: rpID, origin: expectedOrigin } = new URL(issuer);
  const challenges = createPasskeyChallenges(secret, keyValues);
  const expected = (challenge: Buffer) => ({
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin,
    expectedRPID: rpID,
  });

  async function verify(challenge: Buffer, text: string, userId: string | undefined): Promise<string | undefined> {
    const response = readCredential<AuthenticationResponseJSON>(text);
    const stored = response === undefined ? undefined : await passkeys.find(response.id);
    if (response === undefined || stored === undefined) return undefined;
    if (userId !== undefined && stored.userId !== userId) return undefined;
    const { userHandle } = response.response;
    const isForeign = userHandle !== undefined && userHandle !== handleOf(stored.userId).toString('base64url');
    // Without a name, the user is the one that the passkey names.
    if (isForeign || (userId === undefined && userHandle === undefined)) return undefined;
    const result = await (await library())
      .verifyAuthenticationResponse({
        ...expected(challenge),
        response,
        requireUserVerification: userId === undefined,
        credential: {
          id: stored.credentialId,
          publicKey: new Uint8Array(stored.publicKey),
          counter: stored.signCount,
        },
      })
      .catch(refused);
    if (result?.verified !== true || !(await challenges.isFirstUse(challenge))) return undefined;
    return (await passkeys.use(stored.id, result.authenticationInfo.newCounter)) ? stored.userId : undefined;
  }

  return {
    usernameOf: passkeys.usernameOf,
    loginOptions: async (interactionId) =>
      (await library()).generateAuthenticationOptions({
        rpID,
        challenge: new Uint8Array(challenges.of('login', interactionId)),
        userVerification: 'required',
        timeout: TIMEOUT_MS,
      }),
    async factorOptions(interactionId, userId) {
      const own = await passkeys.of(userId);
      if (own.length === 0) return undefined;
      return (await library()).generateAuthenticationOptions({
        rpID,
        challenge: new Uint8Array(challenges.of('factor', interactionId, userId)),
        allowCredentials: own.map(({ credentialId: id, transports }) => ({ id, transports: [...transports] })),
        userVerification: 'preferred',
        timeout: TIMEOUT_MS,
      });
    },
    registrationOptions: async (interactionId, { id, username }) =>
      (await library()).generateRegistrationOptions({
        rpName: issuerName,
        rpID,
        userName: username,
        userID: new Uint8Array(handleOf(id)),
        challenge: new Uint8Array(challenges.of('registration', interactionId, id)),
        attestationType: 'none',
        timeout: TIMEOUT_MS,
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      }),
    verifyLogin: (interactionId, text) => verify(challenges.of('login', interactionId), text, undefined),
    verifyFactor: async (interactionId, userId, text) =>
      (await verify(challenges.of('factor', interactionId, userId), text, userId)) !== undefined,
    async register(interactionId, { id: userId, username, address }, text, name, which = 'first') {
      const response = readCredential<RegistrationResponseJSON>(text);
      if (response === undefined) return false;
      const challenge = challenges.of('registration', interactionId, userId);
      const result = await (await library())
        .verifyRegistrationResponse({ ...expected(challenge), response, requireUserVerification: false })
        .catch(refused);
      if (result?.verified !== true || !(await challenges.isFirstUse(challenge))) return false;
      const { id: credentialId, publicKey, counter: signCount, transports = [] } = result.registrationInfo.credential;
      const { decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
      if (!isVerifyingCoseKey(decodeCredentialPublicKey(publicKey))) return false;
      const passkey = { id: ids.next(), userId, name, credentialId, publicKey: Buffer.from(publicKey), signCount };
      if (!(await passkeys.add({ ...passkey, transports }, which === 'first' ? 1 : MAX_FACTORS))) return false;
      security.record('second-factor.added', { username, address, reason: 'passkey' });
      return true;
    },
  };
}

/** The library rejects for responses that are not valid; that is an expected result here. */
const refused = (): undefined => undefined;

/** Whether the key of a passkey, in COSE (RFC 9053 §7, RFC 8230 §4), verifies its algorithm. */
function isVerifyingCoseKey(key: { get(label: number): unknown }): boolean {
  const [first, x, y] = [-1, -2, -3].map((label) => {
    const value = key.get(label);
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : '';
  });
  const jwks: Readonly<Record<string, object>> = {
    '1 -8': { kty: 'OKP', crv: 'Ed25519', x },
    '2 -7': { kty: 'EC', crv: 'P-256', x, y },
    '3 -257': { kty: 'RSA', n: first, e: x },
    '7 -48': { kty: 'AKP', alg: 'ML-DSA-44', pub: first },
  };
  return isVerifyingKey({ ...jwks[`${key.get(1)} ${key.get(3)}`] });
}
