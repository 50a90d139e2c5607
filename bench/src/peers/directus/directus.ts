import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '../install-packages.ts';
import type { Peer, PeerTarget } from '../peer.ts';
import { runTool } from '../run-tool.ts';
import { setUpDirectus } from './set-up-directus.ts';

const VERSION = '12.4.0';

/** https://directus.com/docs/self-hosting and /configuration. */
export const directus: Peer = {
  name: 'directus',
  about: `Directus ${VERSION}`,
  settings:
    'the tables of the data set as collections, a static token of a user whose role has a policy with permissions for the four collections, activity and revisions as it switches them on by itself, no cache; isolated-vm 6, which runs on this Node, instead of version 5',
  needs: [],
  async install(folder) {
    // Scripts of packages would compile drivers of other databases.
    await installPackages(
      folder,
      { directus: VERSION },
      {
        parameters: ['--ignore-scripts', '--legacy-peer-deps'],
        overrides: { 'isolated-vm': '6.1.2' },
      },
    );
    for (const name of ['uploads', 'extensions']) mkdirSync(join(folder, name), { recursive: true });
  },
  async prepare(target) {
    runTool(process.execPath, [program(target.folder), 'bootstrap'], {
      folder: target.folder,
      log: join(target.folder, 'bootstrap.log'),
      environment: environmentOf(target),
    });
  },
  command: (target) => ({
    file: process.execPath,
    parameters: [program(target.folder), 'start'],
    environment: environmentOf(target),
  }),
  open: ({ port, secret }) =>
    setUpDirectus(`http://127.0.0.1:${port}`, adminTokenOf(secret), randomBytes(24).toString('hex')),
};

const program = (folder: string): string => join(folder, 'node_modules', 'directus', 'cli.js');

const adminTokenOf = (secret: string): string => `administrator-${secret}`;

const environmentOf = ({ databaseUrl, port, poolSize, secret }: PeerTarget): Readonly<Record<string, string>> => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  SECRET: secret,
  DB_CLIENT: 'pg',
  DB_CONNECTION_STRING: databaseUrl,
  DB_SEARCH_PATH: 'array:public,sales',
  DB_POOL__MIN: '0',
  DB_POOL__MAX: String(poolSize),
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: secret,
  ADMIN_TOKEN: adminTokenOf(secret),
  CACHE_ENABLED: 'false',
  TELEMETRY: 'false',
});
