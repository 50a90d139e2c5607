import { readFile } from 'node:fs/promises';
import pg, { type ClientConfig } from 'pg';
import type { DatabaseAddress } from './database-address.ts';
import { findPrimary } from './find-primary.ts';

/** Members of the driver's client that its type lacks, or has as read-only. */
interface OpenClient {
  host: string;
  port: number;
  ssl: unknown;
  password: unknown;
  readonly connection: { ssl: unknown };
}

/**
 * Extends a class of clients: each new connection leads to the primary, where the address has several servers, and
 * reads the files with the password and the certificates, which may have changed.
 */
export function addressedClient(Base: typeof pg.Client, address: DatabaseAddress): typeof pg.Client {
  const { servers, passwordFile, hasCertificateFiles } = address;
  if (servers.length === 1 && passwordFile === undefined && !hasCertificateFiles) return Base;
  let lastPrimary = servers[0] as string;

  const serverFor = async (client: OpenClient): Promise<void> => {
    if (passwordFile !== undefined) client.password = await readPassword(passwordFile);
    if (servers.length > 1) lastPrimary = await findPrimary(servers, lastPrimary, client.password);
    // The driver reads the files of certificates here.
    const { host, port, ssl } = new pg.Client({ connectionString: lastPrimary }) as unknown as OpenClient;
    Object.assign(client, { host, port, ssl });
    client.connection.ssl = ssl;
  };

  return class extends Base {
    constructor(config?: string | ClientConfig) {
      super(typeof config === 'object' ? { ...config, connectionString: withoutFiles(servers[0] as string) } : config);
    }

    // biome-ignore lint/suspicious/noExplicitAny: the overloads of the driver
    override connect(callback?: any): any {
      if (callback === undefined)
        return new Promise((resolve, reject) => {
          this.connect((error: Error | null) => (error ? reject(error) : resolve(this)));
        });
      serverFor(this as unknown as OpenClient).then(() => super.connect(callback), callback);
    }
  };
}

/** The driver reads these files in its constructor, whose errors are not handled. */
function withoutFiles(server: string): string {
  const url = new URL(server);
  for (const name of ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat']) url.searchParams.delete(name);
  return url.href;
}

/** The password is the first line. */
async function readPassword(file: string): Promise<string> {
  const [line = ''] = (await readFile(file, 'utf8')).split(/\r?\n/, 1);
  return line;
}
