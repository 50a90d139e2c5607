import type { BasicHeader } from '../clients/basic-credentials.ts';
import { parseBasicHeader } from '../clients/basic-credentials.ts';
import type { Client, ClientRegistry } from '../clients/client.ts';
import { type GrantType, isGrantType } from '../clients/client-settings.ts';
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
  unsupportedGrantType,
  wrongParameter,
} from './refusals.ts';

/** Grants of each token endpoint (decisions.md 24). */
const GRANTS_OF_LINE: Readonly<Record<EndpointLine, readonly GrantType[]>> = {
  oauth: ['password', 'refresh_token'],
  oauth2: ['client_credentials', 'password', 'refresh_token', 'authorization_code'],
};

/**
 * The client of a request: by HTTP Basic, where `client_id` in the form must be the same, or by the form, where
 * the client is registered for that. A secret in the form counts for nothing otherwise (contract §1.2.2).
 *
 * @throws OAuthFailure 401 invalid_client; 400 for a malformed header at `/oauth2`
 */
export async function authenticateClient(
  line: EndpointLine,
  authorization: string | undefined,
  form: Form,
  clients: ClientRegistry,
): Promise<Client> {
  const header: BasicHeader = parseBasicHeader(authorization);
  if (header.kind === 'absent') return authenticateByForm(form, clients);
  if (header.kind === 'malformed') throw malformedBasicHeader(line);
  const client = await clients.authenticate(header);
  if (client === undefined) throw invalidClient();
  const named = form.get('client_id');
  if (named !== undefined && named !== client.clientId) throw clientMismatch();
  return client;
}

async function authenticateByForm(form: Form, clients: ClientRegistry): Promise<Client> {
  const [clientId, clientSecret] = [form.get('client_id'), form.get('client_secret')];
  const client =
    clientId === undefined || clientSecret === undefined
      ? undefined
      : await clients.authenticate({ clientId, clientSecret }, 'client_secret_post');
  if (client === undefined) throw invalidClient();
  return client;
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
  // At `/oauth` a missing name or password is just wrong (contract §1.2.4, notes).
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
