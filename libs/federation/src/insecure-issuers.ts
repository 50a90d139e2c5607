import { type InsecureSetting, isLoopback } from '@lintel/config';
import type { DirectorySettings } from './ldap/directory-settings.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { ResourceServerConfig } from './resource-server/resource-server-settings.ts';

/** Addresses of identity providers that others could impersonate, since they are without TLS. */
export function insecureIssuers({
  resourceServer,
  providers,
}: {
  readonly resourceServer: ResourceServerConfig;
  readonly providers: Readonly<Record<string, ProviderSettings>>;
}): readonly InsecureSetting[] {
  const named: readonly (readonly [string, string | undefined])[] = [
    ['svc.resource-server.issuer', resourceServer.issuer],
    ['svc.resource-server.jwks-url', resourceServer.jwksUrl],
    ...Object.entries(providers).map(([name, { kind, issuer, 'metadata-url': metadataUrl }]) => {
      const prefix = `svc.auth.provider.${name}`;
      // The issuer of a SAML provider is only a name.
      return kind === 'saml'
        ? ([`${prefix}.metadata-url`, metadataUrl] as const)
        : ([`${prefix}.issuer`, issuer] as const);
    }),
  ];
  return named.flatMap(([name, address]) => {
    if (address === undefined || !URL.canParse(address)) return [];
    const { protocol, hostname } = new URL(address);
    if (protocol === 'https:' || isLoopback(hostname)) return [];
    const problem = `${name}: keys from ${address} travel without protection, so that others can sign tokens; name an address with https`;
    return [{ insecurity: 'http-issuer', problem }];
  });
}

/** Directories to which passwords would travel in clear text. */
export const insecureDirectories = (
  directories: Readonly<Record<string, DirectorySettings>>,
): readonly InsecureSetting[] =>
  Object.entries(directories).flatMap(([name, { urls, 'start-tls': startTls }]) => {
    const open = urls.find((url) => url.startsWith('ldap:') && !startTls && !isLoopback(new URL(url).hostname));
    if (open === undefined) return [];
    const problem = `svc.auth.directory.${name}.urls: passwords would travel to ${open} in clear text; name an address with ldaps, or set start-tls`;
    return [{ insecurity: 'unencrypted-directory', problem }];
  });
