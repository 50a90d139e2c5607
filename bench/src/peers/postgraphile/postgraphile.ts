import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../install-packages.ts';
import type { Peer } from '../peer.ts';
import { runStatements } from '../peer-database.ts';
import { signToken } from '../sign-token.ts';

const VERSION = '5.1.5';
/** The role of a token, and the login of the server, which may do nothing else than take that role. */
const ROLE = 'lintel_bench_peer';
const LOGIN = 'lintel_bench_peer_login';

/** https://postgraphile.org/postgraphile/5/usage-library and /jwt-guide, /security: a login without rights, a role with grants. */
export const postgraphile: Peer = {
  name: 'postgraphile',
  about: `PostGraphile ${VERSION}`,
  settings:
    'Amber preset in production mode without GraphiQL and watching, simplified names, connection filter, a login without rights and JWT with a role that has grants; W2 is four mutations in one request, each in its own transaction',
  needs: [],
  async install(folder) {
    await installPackages(folder, {
      postgraphile: VERSION,
      '@graphile/simplify-inflection': '9.0.0',
      'postgraphile-plugin-connection-filter': '4.0.1',
      jsonwebtoken: '9.0.3',
      pg: '8.23.1',
    });
    copyFileSync(
      fileURLToPath(new URL('../../../peers/postgraphile/server.mjs', import.meta.url)),
      join(folder, 'server.mjs'),
    );
  },
  prepare: ({ databaseUrl, secret }) =>
    runStatements(databaseUrl, [
      ...[ROLE, LOGIN].map(
        (role) => `DO $$ BEGIN CREATE ROLE ${role}; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
      ),
      `ALTER ROLE ${LOGIN} LOGIN NOINHERIT PASSWORD '${secret}'`,
      `GRANT ${ROLE} TO ${LOGIN}`,
      `GRANT USAGE ON SCHEMA sales TO ${ROLE}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON sales."order", sales.order_line, sales.customer, sales.product TO ${ROLE}`,
    ]),
  command: ({ folder, databaseUrl, port, poolSize, secret }) => ({
    file: process.execPath,
    parameters: [join(folder, 'server.mjs')],
    environment: {
      NODE_ENV: 'production',
      GRAPHILE_ENV: 'production',
      PEER_PORT: String(port),
      PEER_DATABASE_URL: urlOf(databaseUrl, secret),
      PEER_POOL_SIZE: String(poolSize),
      PEER_JWT_SECRET: secret,
    },
  }),
  open: ({ secret }) => signToken(secret, { aud: 'postgraphile', role: ROLE, sub: 'bench' }),
};

function urlOf(databaseUrl: string, password: string): string {
  const url = new URL(databaseUrl);
  url.username = LOGIN;
  url.password = password;
  return url.href;
}
