/** What a PostgreSQL URL of the platform contains. */
export interface DatabaseAddress {
  /** One URL of the driver for each server, in the order of the URL. */
  readonly servers: readonly string[];
  /** libpq's `options`: settings of the session. */
  readonly sessionOptions: string | undefined;
  /** File with the password, which is read for each new connection. */
  readonly passwordFile: string | undefined;
  /** A certificate or a key is read from a file. */
  readonly hasCertificateFiles: boolean;
}

/** Parameters that the driver does not know, or that the platform sends in another way. */
const OWN_PARAMETERS = ['options', 'password_file', 'target_session_attrs'] as const;

const CERTIFICATE_FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const;

/** Scheme, login, servers, and the rest. WHATWG URLs cannot have several servers. */
const PARTS = /^([a-z]+:\/\/)((?:[^/?#@]*@)?)([^/?#]*)(.*)$/s;

/**
 * Reads `postgres://user:password@host:port,host:port/database?parameters`.
 *
 * @throws TypeError for a text that is not a URL; it does not contain the text, since that contains a password
 */
export function readDatabaseUrl(url: string): DatabaseAddress {
  const [, scheme = '', login = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  const urls = hosts.split(',').map((host) => parsed(scheme === '' ? url : `${scheme}${login}${host}${rest}`));
  const [{ searchParams }] = urls as [URL];
  const sessionOptions = searchParams.get('options') ?? undefined;
  const passwordFile = searchParams.get('password_file') ?? undefined;
  const hasCertificateFiles = CERTIFICATE_FILES.some((name) => searchParams.has(name));
  for (const each of urls) for (const name of OWN_PARAMETERS) each.searchParams.delete(name);
  return { servers: urls.map(({ href }) => href), sessionOptions, passwordFile, hasCertificateFiles };
}

function parsed(text: string): URL {
  if (!URL.canParse(text)) throw new TypeError('The address of the database is not a URL');
  return new URL(text);
}

/** Scheme, login and servers; then the path with the database. */
const DATABASE = /^([a-z]+:\/\/[^/?#]*)(\/[^?#]*)?/;

/** The URL of another database of the same servers. */
export const urlOfDatabase = (url: string, name: string): string =>
  url.replace(DATABASE, (_, servers: string) => `${servers}/${encodeURIComponent(name)}`);
