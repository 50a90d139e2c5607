import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseUser, freeLoopbackPort } from '@lintel/embedded-database';
import { testEnvironment } from '../../resources/test-environment.ts';
import { accepts, startChildServer } from '../child-server.ts';
import { createRunFolder } from '../run-folder.ts';

export interface PgBouncerOptions {
  /** Any database of the server that PgBouncer connects to; its login is the one that clients use. */
  readonly serverUrl: string;
  /** More than, or other than, transaction mode with two connections. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A PgBouncer for one suite. */
export interface PgBouncer {
  readonly port: number;
  /** The same database and login through PgBouncer. */
  through(url: string): string;
  dispose(): Promise<void>;
}

/**
 * Starts a PgBouncer in transaction mode. It has fewer connections than a service, so that consecutive transactions of a
 * client get different sessions.
 */
export async function startPgBouncer({ serverUrl, settings = {} }: PgBouncerOptions): Promise<PgBouncer> {
  const folder = createRunFolder();
  const home = join(folder.path, 'pgbouncer');
  mkdirSync(home, { mode: 0o755 });
  const port = await freeLoopbackPort();
  const server = new URL(serverUrl);
  const [name, password] = [server.username, server.password].map(decodeURIComponent);
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: join(home, 'users.txt'),
    pool_mode: 'transaction',
    default_pool_size: '3',
    max_client_conn: '500',
    server_tls_sslmode: 'disable',
    ...settings,
  };
  const file = join(home, 'pgbouncer.ini');
  const lines = Object.entries(all).map(([key, value]) => `${key} = ${value}`);
  writeFileSync(
    file,
    ['[databases]', `* = host=${server.hostname} port=${server.port}`, '[pgbouncer]', ...lines, ''].join('\n'),
  );
  writeFileSync(all.auth_file, `"${name}" "${password}"\n`);
  // PgBouncer refuses to run as root.
  const user = databaseUser(home);
  for (const path of [file, all.auth_file]) {
    chmodSync(path, 0o600);
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  }
  const child = await startChildServer({
    name: 'pgbouncer',
    program: testEnvironment('LINTEL_TEST_PGBOUNCER_PROGRAM'),
    parameters: [file],
    folder: home,
    user,
    isReady: () => accepts(port),
  });
  return {
    port,
    through(url) {
      const address = new URL(url);
      address.host = `127.0.0.1:${port}`;
      return address.href;
    },
    async dispose() {
      await child.stop();
      folder.remove();
    },
  };
}
