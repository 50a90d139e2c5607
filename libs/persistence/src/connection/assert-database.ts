import { isIP } from 'node:net';
import { StartError } from '@lintel/errors';
import type { Client } from 'pg';
import type { DatabaseOptions } from './database-options.ts';
import { poolConfigOf } from './pool/pool-config.ts';

/** Names of properties in the messages: those of the URL, and those of all URLs of a service. */
const [POOLER, PREPARED, SSL] = ['svc.datasource.pooler', 'svc.datasource.prepared-statements', 'svc.datasource.ssl'];

/** A statement of this name is prepared; a pooler that manages prepared statements gives it another name. */
const PROBE = { name: 'lintel_probe', text: 'SELECT pg_backend_pid() AS pid' };
const IS_KEPT = 'SELECT FROM pg_prepared_statements WHERE name = $1';

/** The settings of a connection that is checked. */
export type CheckedOptions = Pick<DatabaseOptions, 'url' | 'pooler' | 'preparedStatements' | 'applicationName'>;

/**
 * Connects once and checks what the settings promise. A server that cannot be reached is no error: it may come later.
 *
 * @param property of the URL
 * @throws StartError naming the property where the server refuses the connection, its certificate is not valid, or a
 *   pooler is in between that the settings do not name
 */
export async function assertDatabase(options: CheckedOptions, property = 'svc.datasource.url'): Promise<void> {
  await checkDatabase(options, property);
}

/**
 * Does what `assertDatabase` does.
 *
 * @returns why the server cannot be reached now; undefined if it can
 */
export async function checkDatabase(options: CheckedOptions, property: string): Promise<Error | undefined> {
  const config = poolConfigOf({ ...options, maxConnections: 1, statementTimeoutMs: 5_000 }, 1);
  const client = new config.Client({ ...config, query_timeout: 5_000 });
  // A connection that is lost while it is used rejects its statement as well.
  client.on('error', () => {});
  try {
    await client.connect();
    await assertSession(client, options, property);
    return undefined;
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = reasonOf(error as Error & { code?: string }, property, config.connectionString ?? '');
    if (reason !== undefined) throw new StartError(reason);
    return error as Error;
  } finally {
    client.end().catch(() => {});
  }
}

async function assertSession(
  client: Client,
  { pooler = 'none', preparedStatements = false }: CheckedOptions,
  property: string,
): Promise<void> {
  if (pooler === 'none') {
    const { rows } = await client.query<{ pid: number }>(PROBE.text);
    const { processID } = client as { readonly processID?: number };
    if (rows[0]?.pid === processID) return;
    throw new StartError(
      `${property} leads to a pooler (such as PgBouncer), not to PostgreSQL itself: set ${POOLER}=transaction`,
    );
  }
  if (!preparedStatements) return;
  await client.query('BEGIN');
  await client.query(PROBE);
  const { rowCount } = await client.query(IS_KEPT, [PROBE.name]);
  await client.query('ROLLBACK');
  if (rowCount === 0) return;
  throw new StartError(
    `The pooler of ${property} does not manage prepared statements: set ${PREPARED}=false, or use PgBouncer 1.21 or newer with max_prepared_statements above 0`,
  );
}

const EXPIRED = 'CERT_HAS_EXPIRED';
const OTHER_HOST = 'ERR_TLS_CERT_ALTNAME_INVALID';
/** Codes of OpenSSL for a certificate that no known authority has signed. */
const UNKNOWN_AUTHORITY = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/;
/** Alerts of the server about the certificate of the client; certificates and keys that cannot be read. */
const CLIENT_CERTIFICATE = /^(ERR_SSL_.*ALERT|ERR_OSSL_)/;
const WANTS_CERTIFICATE = /client certificate|certificate authentication failed/;
const WANTS_ENCRYPTION = /no encryption|SSL off|SSL required/;

/** Undefined for an error that may pass: the server cannot be reached now. */
function reasonOf(error: Error & { code?: string; path?: string }, property: string, url: string): string | undefined {
  const { code = '', message, path } = error;
  if (code === EXPIRED) return `The certificate of the server of ${property} has expired`;
  if (code === OTHER_HOST)
    return `The certificate of the server of ${property} is not for ${hostOf(url)}: ${message}. Name the server as its certificate does`;
  if (UNKNOWN_AUTHORITY.test(code))
    return `The certificate of the server of ${property} is not signed by an authority of ${SSL}.root-certificate: ${message}`;
  if (CLIENT_CERTIFICATE.test(code) || WANTS_CERTIFICATE.test(message))
    return `The server of ${property} does not accept ${SSL}.certificate with ${SSL}.key: ${message}`;
  if (path !== undefined && (code === 'ENOENT' || code === 'EACCES'))
    return `A file of ${SSL} or svc.datasource.password-file cannot be read: ${message}`;
  if (message === 'The server does not support SSL connections')
    return `The server of ${property} does not support TLS: enable it there, or set ${SSL}.mode=disable`;
  if (WANTS_ENCRYPTION.test(message)) return `The server of ${property} requires TLS: set ${SSL}.mode. ${message}`;
  if (code === '28P01')
    return `The server of ${property} refuses the login: check the password of the URL or of svc.datasource.password-file, and, if it requires certificates, the name in ${SSL}.certificate. ${message}`;
  if (code === '28000' || code === '3D000') return `The server of ${property} refuses the connection: ${message}`;
  if (/unsupported startup parameter/.test(message))
    return `${property} leads to a pooler, which refuses settings of a session: set ${POOLER}=transaction. ${message}`;
  return undefined;
}

function hostOf(url: string): string {
  const { hostname } = new URL(url);
  return isIP(hostname) === 0 ? hostname : `the address ${hostname}`;
}
