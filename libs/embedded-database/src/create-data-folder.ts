import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { majorVersion } from './binaries/major-version.ts';
import type { DatabaseUser } from './database-user.ts';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';

export interface NewDataFolder {
  readonly folder: string;
  readonly dataFolder: string;
  readonly binaries: string;
  readonly owner: DatabaseUser | undefined;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Whether the new files are forced to the disk; tests need not wait for that. Default true. */
  readonly durable?: boolean;
}

/**
 * Creates a cluster with one superuser and one database. It is created in a temporary folder and renamed at the end,
 * so that an interrupted start leaves no incomplete cluster.
 */
export async function createDataFolder(options: NewDataFolder): Promise<void> {
  const { binaries, owner } = options;
  const workFolder = mkdtempSync(join(options.folder, 'new-'));
  try {
    const passwordFile = join(workFolder, 'password');
    writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
    if (owner !== undefined) {
      chownSync(workFolder, owner.uid, owner.gid);
      chownSync(passwordFile, owner.uid, owner.gid);
    }
    const dataFolder = join(workFolder, 'data');
    await run(join(binaries, 'bin', 'initdb'), initdbFlags(dataFolder, passwordFile, options), workFolder, owner);
    // Single-user mode needs no port, no client and no driver.
    await run(
      join(binaries, 'bin', 'postgres'),
      ['--single', '-D', dataFolder, 'postgres'],
      workFolder,
      owner,
      `CREATE DATABASE "${options.database.replaceAll('"', '""')}";\n`,
    );
    renameSync(dataFolder, options.dataFolder);
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}

function initdbFlags(
  dataFolder: string,
  passwordFile: string,
  { binaries, user, durable = true }: NewDataFolder,
): string[] {
  return [
    `--pgdata=${dataFolder}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...localeFlags(binaries),
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
}

/** The first version with a provider of its own. */
const BUILTIN_LOCALES_SINCE = 17;

/**
 * ICU-free and the same on every machine: texts sort by code point, with letters of all languages. Older versions use
 * the C.UTF-8 of the system.
 */
function localeFlags(binaries: string): readonly string[] {
  const isOld = Number(majorVersion(binaries)) < BUILTIN_LOCALES_SINCE;
  return isOld
    ? ['--locale=C', '--lc-ctype=C.UTF-8']
    : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
}

function run(
  program: string,
  parameters: readonly string[],
  folder: string,
  owner: DatabaseUser | undefined,
  input = '',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      ...owner,
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: '/usr/bin:/bin', LANG: 'C', LC_MESSAGES: 'C', TZ: 'UTC' },
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      output += String(chunk);
    });
    const fail = (reason: string): void =>
      reject(new EmbeddedDatabaseError(`The database cannot be created: ${reason}`));
    child.once('error', (error) => fail(error.message));
    child.once('close', (code) => {
      if (code === 0 && !/^.*\b(ERROR|FATAL):/m.test(output)) resolve();
      else fail(output.trim().split('\n').slice(-2).join(' ') || `${program} ended with code ${code}`);
    });
    child.stdin.once('error', () => undefined); // it ended before it read: the exit code says more
    child.stdin.end(input);
  });
}
