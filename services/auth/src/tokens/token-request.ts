import { type FairQueue, networkOf } from '@lintel/http';
import type { AttemptGuard, NameDigest } from '@lintel/login';
import type { SecurityLog } from '@lintel/telemetry';
import type { BasicHeader } from '../clients/basic-credentials.ts';
import { parseBasicHeader } from '../clients/basic-credentials.ts';
import type { BasicCredentials, Client, ClientRegistry } from '../clients/client.ts';
import { type AuthenticationMethod, DEVICE_GRANT, type GrantType, isGrantType } from '../clients/client-settings.ts';
import type { Form } from './oauth/form.ts';
import type { EndpointFamily } from './oauth/oauth-failure.ts';
import {
  clientMismatch,
  grantTypeNotAllowed,
  invalidClient,
  invalidScope,
  malformedBasicHeader,
  missingGrantType,
  missingRefreshToken,
  tooManyFailures,
  unsupportedGrantType,
  wrongParameter,
} from './oauth/refusals.ts';
import { hasAssertion, namedClient } from './proofs/client-assertion.ts';

/** Grants of each token endpoint (contract/decisions.md#24). */
const GRANTS_OF_FAMILY: Readonly<Record<EndpointFamily, readonly GrantType[]>> = {
  oauth: ['password', 'refresh_token'],
  oauth2: ['client_credentials', 'password', 'refresh_token', 'authorization_code', DEVICE_GRANT],
};

/** A token request whose client is authenticated and whose grant may be used. */
export interface CheckedTokenRequest {
  /** Before the client was authenticated, milliseconds since the epoch. */
  readonly receivedAtMs: number;
  readonly family: EndpointFamily;
  readonly client: Client;
  readonly form: Form;
  /** Thumbprint of the key that the client has proven to have. */
  readonly thumbprint?: string | undefined;
}

/** Dependencies of the authentication of clients. */
export interface ClientAuthentication {
  readonly clients: ClientRegistry;
  readonly guard: AttemptGuard;
  /** The queue in which secrets are compared with hashes. */
  readonly hashing: Pick<FairQueue, 'run'>;
  readonly nameDigest: NameDigest;
  readonly security: SecurityLog;
  /** The client that has signed an assertion. */
  readonly verifyAssertion: (assertion: string) => Promise<Client | undefined>;
}

/** The parts of a request that identify its client. */
export interface ClientCredentialsParts {
  readonly family: EndpointFamily;
  readonly authorization: string | undefined;
  readonly form: Form;
  readonly address: string;
}

/**
 * The client of a request: by HTTP Basic, where `client_id` in the form must be the same, or by the form, where
 * the client is registered for that; else a secret in the form is ignored (contract/tokens.md#request). A public client
 * only names itself in the form. A client with `private_key_jwt` sends an assertion that it has signed.
 *
 * @throws OAuthFailure 401 invalid_client; 400 for a malformed header at `/oauth2`; 429 after too many wrong secrets
 */
export async function authenticateClient(parts: ClientCredentialsParts, deps: ClientAuthentication): Promise<Client> {
  const { family, authorization, form } = parts;
  const header: BasicHeader = parseBasicHeader(authorization);
  if (header.kind === 'malformed') throw malformedBasicHeader(family);
  if (header.kind === 'absent') {
    if (hasAssertion(form)) return checkAssertion(parts, deps);
    const [clientId, clientSecret] = [form.get('client_id'), form.get('client_secret')];
    if (clientId === undefined) throw invalidClient();
    if (clientSecret === undefined) {
      const client = form.has('client_secret') ? undefined : deps.clients.findPublic(clientId);
      if (client === undefined) throw invalidClient();
      return client;
    }
    return checkSecret({ clientId, clientSecret }, 'client_secret_post', parts, deps);
  }
  const client = await checkSecret(header, 'client_secret_basic', parts, deps);
  const named = form.get('client_id');
  if (named !== undefined && named !== client.clientId) throw clientMismatch();
  return client;
}

async function checkAssertion(parts: ClientCredentialsParts, deps: ClientAuthentication): Promise<Client> {
  const { form } = parts;
  const assertion = form.get('client_assertion') ?? '';
  // One method for a request (RFC 6749 §2.3).
  if (form.has('client_secret')) throw invalidClient();
  const client = await guarded(namedClient(assertion) ?? '', parts, deps, () => deps.verifyAssertion(assertion));
  const named = form.get('client_id');
  if (named !== undefined && named !== client.clientId) throw clientMismatch();
  return client;
}

const checkSecret = (
  credentials: BasicCredentials,
  method: AuthenticationMethod,
  parts: ClientCredentialsParts,
  deps: ClientAuthentication,
): Promise<Client> =>
  guarded(deps.clients.idMeantBy(credentials.clientId), parts, deps, () =>
    deps.clients.authenticate(credentials, method, (work) => deps.hashing.run(networkOf(parts.address), work)),
  );

/** Authenticates a client within the limits of failures, and records those. */
async function guarded(
  name: string,
  { address }: ClientCredentialsParts,
  { clients, guard, nameDigest, security }: ClientAuthentication,
  authenticate: () => Promise<Client | undefined>,
): Promise<Client> {
  const attempt = { name, address };
  const facts = {
    ...(clients.find(name) === undefined ? { nameDigest: nameDigest.shortOf(name) } : { clientId: name }),
    address,
  };
  const result = await guard.run(attempt, async () => {
    const value = await authenticate();
    return { kind: value === undefined ? 'wrong' : 'right', value };
  });
  if (result.kind === 'not-made') {
    security.record('client.failed', { ...facts, reason: result.refusal });
    throw tooManyFailures();
  }
  if (result.value === undefined) {
    security.record('client.failed', { ...facts, reason: 'bad-credentials' });
    if (result.beginsBlock) security.record('client.blocked', facts);
    throw invalidClient();
  }
  return result.value;
}

/** The requested grant type, if the endpoint supports it and the client may use it. */
export function grantTypeOf(family: EndpointFamily, form: Form, client: Client, isHardened = false): GrantType {
  const grantType = form.get('grant_type');
  if (grantType === undefined) throw missingGrantType(family);
  if (!isGrantType(grantType) || !GRANTS_OF_FAMILY[family].includes(grantType))
    throw unsupportedGrantType(family, grantType);
  if (!client.grantTypes.has(grantType) || (isHardened && grantType === 'password')) throw grantTypeNotAllowed(family);
  return grantType;
}

const PARAMETERS = [
  'username',
  'password',
  'refresh_token',
  'scope',
  'code',
  'redirect_uri',
  'code_verifier',
  'device_code',
];

/** Checks that the parameters of the grant are present once. */
export function assertGrantParameters(family: EndpointFamily, form: Form, grantType: GrantType): void {
  for (const name of PARAMETERS) form.get(name);
  // At `/oauth` a missing name or password counts as a wrong one (contract/tokens.md#oauth-errors).
  if (grantType === 'password' && family === 'oauth2') {
    if (form.get('username') === undefined) throw wrongParameter('username');
    if (!form.has('password')) throw wrongParameter('password');
  }
  if (grantType === 'authorization_code' && form.get('code') === undefined) throw wrongParameter('code');
  if (grantType === DEVICE_GRANT && form.get('device_code') === undefined) throw wrongParameter('device_code');
  if (grantType === 'refresh_token' && form.get('refresh_token') === undefined) throw missingRefreshToken(family);
}

/** The scopes of a new token: the requested ones, which the client must have, or all scopes of the client. */
export function scopesOf(family: EndpointFamily, form: Pick<Form, 'get'>, client: Client): readonly string[] {
  const asked = splitScope(form.get('scope'));
  if (asked.some((scope) => !client.scopes.includes(scope))) throw invalidScope(family, client.scopes);
  return asked.length === 0 ? client.scopes : asked;
}

/** Names in a `scope` parameter. */
export const splitScope = (text: string | undefined): readonly string[] => [
  ...new Set((text ?? '').split(' ').filter((name) => name !== '')),
];
