import type { IdentityProvider } from '@lintel/contracts';
import type { FederationConfig } from './federation-settings.ts';
import type { DirectorySettings } from './ldap/directory-settings.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { providerPath } from './providers/login-provider.ts';
import { RESOURCE_SERVER } from './resource-server/external-session.ts';
import type { ResourceServerConfig } from './resource-server/resource-server-settings.ts';

const SECRETS: ReadonlySet<string> = new Set(['client-secret', 'signing-key', 'bind-password']);
const HIDDEN = '***';

/** The providers, directories and the issuer of external tokens of the configuration, without secrets. */
export function listProviders(
  { providers, directories, resourceServer }: Omit<FederationConfig, 'passwordLogin'>,
  publicUrl: string,
): readonly IdentityProvider[] {
  return [
    ...Object.entries(providers).map(([name, settings]) => ({
      name,
      kind: settings.kind,
      title: settings.title ?? name,
      settings: settingsOf(settings, ['kind', 'title']),
      addresses: addressesOf(`${publicUrl}${providerPath(name)}`, settings.kind),
    })),
    ...Object.entries(directories).map(([name, settings]) => ({
      name,
      kind: 'ldap' as const,
      title: null,
      settings: settingsOf(settings, []),
      addresses: [],
    })),
    ...tokenIssuer(resourceServer),
  ];
}

function tokenIssuer(config: ResourceServerConfig): readonly IdentityProvider[] {
  const { issuer, audience, jwksUrl, acrClaim, acrValues, rules } = config;
  if (issuer === undefined) return [];
  const members = {
    issuer,
    audience,
    'jwks-url': jwksUrl,
    'acr-claim': acrClaim,
    'acr-values': acrValues,
    ...rules,
  };
  return [
    { name: RESOURCE_SERVER, kind: 'token-issuer', title: null, settings: settingsOf(members, []), addresses: [] },
  ];
}

function addressesOf(base: string, kind: ProviderSettings['kind']): IdentityProvider['addresses'] {
  if (kind === 'openid')
    return [
      { kind: 'callback', url: `${base}/callback` },
      { kind: 'logout', url: `${base}/logout` },
    ];
  return [
    { kind: 'metadata', url: `${base}/metadata` },
    { kind: 'acs', url: `${base}/acs` },
    { kind: 'logout', url: `${base}/single-logout` },
  ];
}

const settingsOf = (
  settings: ProviderSettings | DirectorySettings | Readonly<Record<string, unknown>>,
  left: readonly string[],
): IdentityProvider['settings'] =>
  Object.entries(settings)
    .filter(([name, value]) => value !== undefined && !left.includes(name))
    .map(([name, value]) => ({ name, value: SECRETS.has(name) ? HIDDEN : shown(value) }));

/** Members are texts, numbers, flags, and lists or maps of them. */
function shown(value: unknown): string {
  if (typeof value === 'string') return withoutLogin(value);
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** An address may have a name and a password in it. */
function withoutLogin(text: string): string {
  if (!/^[a-z]+:\/\/[^/]*@/i.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  url.username = HIDDEN;
  url.password = '';
  return url.href;
}
