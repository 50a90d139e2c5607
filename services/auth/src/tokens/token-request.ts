import { type FairQueue, networkOf } from '@lintel/http';
import type { SecurityLog } from '@lintel/telemetry';
import type { AttemptGuard } from '../attempts/attempt-guard.ts';
import type { NameDigest } from '../attempts/name-digest.ts';
import type { BasicHeader } from '../clients/basic-credentials.ts';
import { parseBasicHeader } from '../clients/basic-credentials.ts';
import type { BasicCredentials, Client, ClientRegistry } from '../clients/client.ts';
import { type AuthenticationMethod, type GrantType, isGrantType } from '../clients/client-settings.ts';
import type { Form } from './form.ts';
import type { EndpointLine } from './oauth-failure.ts';
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
} from './refusals.ts';

/** Grants of each token endpoint (contract/decisions.md#24). */
const GRANTS_OF_LINE: Readonly<Record<EndpointLine, readonly GrantType[]>> = {
  oauth: ['password', 'refresh_token'],
  oauth2: ['client_credentials', 'password', 'refresh_token', 'authorization_code'],
};

/** What the authentication of clients needs. */
export interface ClientAuthentication {
  readonly clients: ClientRegistry;
  readonly guard: AttemptGuard;
  /** Secrets that are stored as hashes are compared in it. */
  readonly hashing: Pick<FairQueue, 'run'>;
  readonly nameDigest: NameDigest;
  readonly security: SecurityLog;
}

/** What of a request says which client sends it. */
export interface ClientCredentialsParts {
  readonly line: EndpointLine;
  readonly authorization: string | undefined;
  readonly form: Form;
  readonly address: string;
}

/**
 * The client of a request: by HTTP Basic, where `client_id` in the form must be the same, or by the form, where
 * the client is registered for that. A secret in the form counts for nothing otherwise (contract/tokens.md#request).
 *
 * @throws OAuthFailure 401 invalid_client; 400 for a malformed header at `/oauth2`; 429 after too many wrong secrets
 */
export async function authenticateClient(parts: ClientCredentialsParts, deps: ClientAuthentication): Promise<Client> {
  const { line, authorization, form } = parts;
  const header: BasicHeader = parseBasicHeader(authorization);
  if (header.kind === 'malformed') throw malformedBasicHeader(line);
  if (header.kind === 'absent') {
    const [clientId, clientSecret] = [form.get('client_id'), form.get('client_secret')];
    if (clientId === undefined || clientSecret === undefined) throw invalidClient();
    return checkSecret({ clientId, clientSecret }, 'client_secret_post', parts, deps);
  }
  const client = await checkSecret(header, 'client_secret_basic', parts, deps);
  const named = form.get('client_id');
  if (named !== undefined && named !== client.clientId) throw clientMismatch();
  return client;
}

async function checkSecret(
  credentials: BasicCredentials,
  method: AuthenticationMethod,
  { address }: ClientCredentialsParts,
  { clients, guard, hashing, nameDigest, security }: ClientAuthentication,
): Promise<Client> {
  const name = clients.idMeantBy(credentials.clientId);
  const attempt = { name, address };
  const facts = {
    ...(clients.find(name) === undefined ? { nameDigest: nameDigest.shortOf(name) } : { clientId: name }),
    address,
  };
  const result = await guard.run(attempt, async () => {
    const value = await clients.authenticate(credentials, method, (work) => hashing.run(networkOf(address), work));
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

/** The grant that is asked for, once the endpoint has it and the client may use it. */
export function grantTypeOf(line: EndpointLine, form: Form, client: Client, isHardened = false): GrantType {
  const grantType = form.get('grant_type');
  if (grantType === undefined) throw missingGrantType(line);
  if (!isGrantType(grantType) || !GRANTS_OF_LINE[line].includes(grantType)) throw unsupportedGrantType(line, grantType);
  if (!client.grantTypes.has(grantType) || (isHardened && grantType === 'password')) throw grantTypeNotAllowed(line);
  return grantType;
}

const PARAMETERS = ['username', 'password', 'refresh_token', 'scope', 'code', 'redirect_uri', 'code_verifier'];

/** What the grant needs is there, once each. */
export function assertGrantParameters(line: EndpointLine, form: Form, grantType: GrantType): void {
  for (const name of PARAMETERS) form.get(name);
  // At `/oauth` a missing name or password is just wrong (contract/tokens.md#oauth-errors).
  if (grantType === 'password' && line === 'oauth2') {
    if (form.get('username') === undefined) throw wrongParameter('username');
    if (!form.has('password')) throw wrongParameter('password');
  }
  if (grantType === 'authorization_code' && form.get('code') === undefined) throw wrongParameter('code');
  if (grantType === 'refresh_token' && form.get('refresh_token') === undefined) throw missingRefreshToken(line);
}

/** The scopes of a new token: those asked for, which the client must have, or all of the client's. */
export function scopesOf(line: EndpointLine, form: Pick<Form, 'get'>, client: Client): readonly string[] {
  const asked = splitScope(form.get('scope'));
  if (asked.some((scope) => !client.scopes.includes(scope))) throw invalidScope(line, client.scopes);
  return asked.length === 0 ? client.scopes : asked;
}

/** Names in a `scope` parameter. */
export const splitScope = (text: string | undefined): readonly string[] => [
  ...new Set((text ?? '').split(' ').filter((name) => name !== '')),
];
