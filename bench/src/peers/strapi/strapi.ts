import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../install-packages.ts';
import type { Peer } from '../peer.ts';
import { runStatements } from '../peer-database.ts';
import { STRAPI_DATA, STRAPI_SCHEMA } from './strapi-data.ts';

const VERSION = '5.54.0';
const POLL_MS = 200;

/** https://docs.strapi.io/cms/deployment: production mode without the administration panel. */
export const strapi: Peer = {
  name: 'strapi',
  about: `Strapi ${VERSION}`,
  settings:
    'content types of the same columns, lines as a repeatable component, tables that it makes itself with the same indexes, a custom API token that may use orders, default middlewares with the request log, lists without counts',
  needs: [],
  async install(folder) {
    await installPackages(
      folder,
      {
        '@strapi/strapi': VERSION,
        '@strapi/plugin-users-permissions': VERSION,
        pg: '8.23.1',
        react: '18.3.1',
        'react-dom': '18.3.1',
        'react-router-dom': '6.30.6',
        'styled-components': '6.6.0',
      },
      // Programs of packages for other databases would be compiled.
      { parameters: ['--ignore-scripts'] },
    );
    cpSync(fileURLToPath(new URL('../../../peers/strapi/', import.meta.url)), folder, { recursive: true });
    mkdirSync(join(folder, 'public', 'uploads'), { recursive: true });
  },
  async prepare({ folder, databaseUrl }) {
    rmSync(tokenFile(folder), { force: true });
    await runStatements(databaseUrl, [`CREATE SCHEMA IF NOT EXISTS ${STRAPI_SCHEMA}`]);
  },
  command: ({ folder, databaseUrl, port, poolSize, secret }) => ({
    file: process.execPath,
    parameters: [join(folder, 'node_modules', '@strapi', 'strapi', 'bin', 'strapi.js'), 'start'],
    environment: {
      NODE_ENV: 'production',
      STRAPI_TELEMETRY_DISABLED: 'true',
      PEER_DATABASE_URL: databaseUrl,
      PEER_POOL_SIZE: String(poolSize),
      PEER_PORT: String(port),
      PEER_SECRET: secret,
      PEER_TOKEN_FILE: tokenFile(folder),
    },
  }),
  async open({ folder, databaseUrl }) {
    const token = await readToken(folder);
    await runStatements(databaseUrl, STRAPI_DATA);
    return token;
  },
};

const tokenFile = (folder: string): string => join(folder, 'token');

/** The token that the bootstrap function of the project makes. */
async function readToken(folder: string): Promise<string> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    try {
      const token = readFileSync(tokenFile(folder), 'utf8');
      if (token !== '') return token;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
