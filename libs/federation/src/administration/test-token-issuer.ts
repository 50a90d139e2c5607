import type { ProviderProblem } from '@lintel/contracts';
import { fetchLimited, MAX_RESPONSE_BYTES } from '../providers/fetch-limited.ts';
import type { ResourceServerConfig } from '../resource-server/resource-server-settings.ts';
import { assertKeys } from './assert-keys.ts';
import { FoundProblem, problemOf } from './problem-of.ts';

const TIMEOUT_MS = 10_000;
const MAX_ISSUER_LENGTH = 200;

/**
 * Reads the keys of the issuer of external tokens as the check of a token does, and returns what is wrong. With
 * `svc.resource-server.jwks-url` there is no discovery, so that the issuer cannot be compared.
 */
export async function testTokenIssuer({
  issuer,
  jwksUrl,
}: Pick<ResourceServerConfig, 'jwksUrl'> & { readonly issuer: string }): Promise<readonly ProviderProblem[]> {
  let keys = jwksUrl;
  if (keys === undefined) {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    try {
      keys = keysIn(await fetchLimited(address, MAX_RESPONSE_BYTES, TIMEOUT_MS), issuer);
    } catch (error) {
      return [problemOf(error, new URL(issuer).host)];
    }
  }
  try {
    await assertKeys(await fetchLimited(keys, MAX_RESPONSE_BYTES, TIMEOUT_MS));
    return [];
  } catch (error) {
    return [problemOf(error, `the keys at ${new URL(keys).host}`)];
  }
}

/**
 * The address of the keys in the metadata of an issuer.
 *
 * @throws FoundProblem
 */
function keysIn(text: string, issuer: string): string {
  const metadata = parsed(text, issuer);
  const { issuer: found, jwks_uri: keys } = metadata;
  if (found !== issuer) {
    const named = typeof found === 'string' ? `, but ${found.slice(0, MAX_ISSUER_LENGTH)}` : '';
    throw new FoundProblem('issuer', `The metadata are not those of the issuer ${issuer}${named}`);
  }
  if (typeof keys !== 'string' || !URL.canParse(keys))
    throw new FoundProblem('endpoints', 'The metadata have no jwks_uri');
  if (new URL(keys).protocol !== new URL(issuer).protocol)
    throw new FoundProblem('insecure', 'jwks_uri of the metadata and the issuer must both have TLS');
  return keys;
}

function parsed(text: string, issuer: string): { readonly issuer?: unknown; readonly jwks_uri?: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Refused below.
  }
  if (typeof value !== 'object' || value === null)
    throw new FoundProblem('document', `The response of ${new URL(issuer).host} is no metadata document`);
  return value;
}
