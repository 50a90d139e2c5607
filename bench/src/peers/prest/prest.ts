import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Peer } from '../peer.ts';
import { partsOf } from '../peer-database.ts';
import { runTool } from '../run-tool.ts';
import { signToken } from '../sign-token.ts';

const VERSION = 'v1.5.5';

/** https://docs.prestd.com/get-started/configuring-prest and /permissions. */
export const prest: Peer = {
  name: 'prest',
  about: `pREST ${VERSION}`,
  settings: 'version 2 of its configuration, JWT required, restricted to the tables of the operations, no cache',
  needs: ['go'],
  async install(folder) {
    if (existsSync(join(folder, 'prestd'))) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'go.mod'), `module peer\n\ngo 1.24\n\nrequire github.com/prest/prest ${VERSION}\n`);
    runTool('go', ['build', '-mod=mod', '-o', 'prestd', 'github.com/prest/prest/cmd/prestd'], {
      folder,
      log: join(folder, 'install.log'),
    });
  },
  async prepare({ folder, databaseUrl, port, poolSize, secret }) {
    const { host, port: databasePort, user, password, database } = partsOf(databaseUrl);
    const table = (name: string, permissions: readonly string[]): string =>
      `[[access.tables]]\nname = "${name}"\npermissions = ${JSON.stringify(permissions)}\nfields = ["*"]\n`;
    writeFileSync(
      join(folder, 'prest.toml'),
      `version = 2
[http]
host = "127.0.0.1"
port = ${port}
[jwt]
default = true
key = "${secret}"
algo = "HS256"
[access]
restrict = true
${table('order', ['read', 'write'])}${table('customer', ['read'])}
[pg]
host = "${host}"
port = ${databasePort}
user = "${user}"
pass = "${password}"
database = "${database}"
single = true
maxopenconn = ${poolSize}
maxidleconn = ${poolSize}
[pg.ssl]
mode = "disable"
[cache]
enabled = false
`,
      { mode: 0o600 },
    );
  },
  command: ({ folder }) => ({
    file: join(folder, 'prestd'),
    parameters: [],
    environment: { PREST_VERSION: '2', PREST_CONF: join(folder, 'prest.toml'), PREST_PG_SSL_MODE: 'disable' },
  }),
  open: ({ secret }) => signToken(secret, { UserInfo: { id: 1, name: 'bench', username: 'bench' } }),
};
