import { isLoopback } from '@lintel/config';
import type { ProviderProblem } from '@lintel/contracts';
import type { ServerMetadata } from 'openid-client';
import { assertKeys } from '../administration/assert-keys.ts';
import { problemOf } from '../administration/problem-of.ts';
import { fetchLimited, MAX_RESPONSE_BYTES } from '../providers/fetch-limited.ts';
import { discover } from './discover.ts';
import type { OpenIdProviderSettings } from './provider-settings.ts';

const TIMEOUT_MS = 10_000;
const MAX_ISSUER_LENGTH = 200;

/** Reads the metadata and the keys of a provider as a login does, and returns what is wrong. */
export async function testOpenId(settings: OpenIdProviderSettings): Promise<readonly ProviderProblem[]> {
  const { host } = new URL(settings.issuer);
  let metadata: ServerMetadata;
  try {
    metadata = (await discover(settings)).serverMetadata();
  } catch (error) {
    return [metadataProblem(error, settings.issuer, host)];
  }
  const problems = endpointProblems(metadata, settings);
  const { jwks_uri: keys } = metadata;
  if (keys === undefined || !isSecure(keys, settings.issuer)) return problems;
  try {
    await assertKeys(await fetchLimited(keys, MAX_RESPONSE_BYTES, TIMEOUT_MS));
    return problems;
  } catch (error) {
    return [...problems, problemOf(error, `the keys at ${new URL(keys).host}`)];
  }
}

function metadataProblem(error: unknown, issuer: string, host: string): ProviderProblem {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: { readonly body?: unknown } };
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    const found = (cause?.body as { readonly issuer?: unknown } | undefined)?.issuer;
    const named = typeof found === 'string' ? `, but ${found.slice(0, MAX_ISSUER_LENGTH)}` : '';
    return { code: 'issuer', message: `The metadata are not those of the issuer ${issuer}${named}` };
  }
  if (code === 'OAUTH_HTTP_REQUEST_FORBIDDEN' || code === 'OAUTH_HTTP_REQUEST_FORBIDDEN_ERROR')
    return { code: 'insecure', message: `The issuer ${issuer} has no TLS: name an address with https` };
  const problem = problemOf(error, host);
  const isDocument =
    problem.code === 'other' && typeof code === 'string' && /^OAUTH_(PARSE|INVALID|RESPONSE_IS)/.test(code);
  return isDocument ? { code: 'document', message: `The response of ${host} is no metadata document` } : problem;
}

/** Addresses that a login needs. */
function endpointProblems(metadata: ServerMetadata, settings: OpenIdProviderSettings): readonly ProviderProblem[] {
  const needed = [
    'authorization_endpoint',
    'token_endpoint',
    'jwks_uri',
    ...(settings['user-info'] ? (['userinfo_endpoint'] as const) : []),
  ] as const;
  return needed.flatMap((name): readonly ProviderProblem[] => {
    const address = metadata[name];
    if (typeof address !== 'string' || !URL.canParse(address))
      return [{ code: 'endpoints', message: `The metadata have no ${name}` }];
    if (isSecure(address, settings.issuer)) return [];
    return [{ code: 'insecure', message: `${name} of the metadata has no TLS` }];
  });
}

/** As a login: without TLS only between programs of one machine. */
const isSecure = (address: string, issuer: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return true;
  const own = new URL(issuer);
  return protocol === 'http:' && own.protocol === 'http:' && isLoopback(own.hostname) && isLoopback(hostname);
};
