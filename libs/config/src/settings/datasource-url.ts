import type { ConnectionConfig } from './datasource-settings.ts';

type Files = Pick<ConnectionConfig, 'ssl'> & { readonly passwordFile?: string | undefined };

/**
 * The URL with the properties `svc.datasource.ssl` and `password-file` as its parameters. Parameters and the password
 * that the URL has are used instead of the properties.
 */
export function datasourceUrlOf(url: string, { ssl, passwordFile }: Files): string {
  const { mode = isGiven(ssl) ? 'verify-full' : undefined, rootCertificate, certificate, key } = ssl;
  const [address = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  if (mode !== undefined && !parameters.has('sslmode')) {
    parameters.set('sslmode', mode);
    // Without it the driver would check the certificate in these modes, too.
    if (mode === 'require' || mode === 'verify-ca') parameters.set('uselibpqcompat', 'true');
  }
  const files = {
    sslrootcert: rootCertificate,
    sslcert: certificate,
    sslkey: key,
    password_file: hasPassword(url) ? undefined : passwordFile,
  };
  for (const [name, file] of Object.entries(files))
    if (file !== undefined && !parameters.has(name)) parameters.set(name, file);
  return parameters.size === 0 ? url : `${address}?${parameters}`;
}

const isGiven = ({ rootCertificate, certificate, key }: ConnectionConfig['ssl']): boolean =>
  [rootCertificate, certificate, key].some((file) => file !== undefined);

const hasPassword = (url: string): boolean => /^[a-z]+:\/\/[^/?#@]*:[^/?#@]+@/.test(url);

/** How a service connects to its database. */
export function datasourceOf({
  url,
  directUrl,
  pooler,
  preparedStatements,
  ...files
}: Omit<ConnectionConfig, 'passwordFile'> & Files & { readonly url: string }) {
  return {
    url: datasourceUrlOf(url, files),
    pooler,
    preparedStatements,
    ...(directUrl === undefined ? {} : { directUrl: datasourceUrlOf(directUrl, files) }),
  };
}

/** The URL for what needs a session: migrations, and commands of operators. */
export function sessionUrlOf(
  config: Pick<ConnectionConfig, 'directUrl' | 'ssl' | 'passwordFile'> & { readonly url: string },
) {
  return datasourceUrlOf(config.directUrl ?? config.url, config);
}
