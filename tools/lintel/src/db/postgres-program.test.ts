import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPostgresProgram } from './postgres-program.ts';
import { locationOf, programConnection } from './program-connection.ts';

const URL_WITH_PASSWORD = 'postgres://owner:s%3Acret@db.example:5433/shop?sslmode=require';

const folder = mkdtempSync(join(tmpdir(), 'lintel-psql-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the program gets the connection, and the password where other users do not see it', async () => {
  const file = join(folder, 'call');
  writeFileSync(join(folder, 'psql'), `#!/bin/sh\necho "$*|$PGPASSWORD" > '${file}'\nexit 3\n`);
  chmodSync(join(folder, 'psql'), 0o755);
  const variables = { PATH: `${folder}:/usr/bin:/bin` };
  expect(await runPostgresProgram('psql', ['-c', 'SELECT 1'], URL_WITH_PASSWORD, variables)).toBe(3);
  expect(readFileSync(file, 'utf8')).toBe(
    '--dbname=postgres://owner@db.example:5433/shop?sslmode=require -c SELECT 1|s:cret\n',
  );
});

test('a program that is not installed is named, with what to do and without the password', async () => {
  const running = runPostgresProgram('pg_dump', [], URL_WITH_PASSWORD, { PATH: join(folder, 'nothing') });
  await expect(running).rejects.toThrow(
    /^pg_dump is not installed; .*\. Install the client of PostgreSQL .* with postgres:\/\/owner@db\.example:5433\/shop\?sslmode=require\.$/,
  );
});

test('the location of a database has no user and no password', () => {
  expect(locationOf(URL_WITH_PASSWORD)).toBe('db.example:5433/shop');
});

test('several servers, a file with the password and parameters that libpq does not know', () => {
  const file = join(folder, 'password');
  writeFileSync(file, 'from the file\n');
  const parameters = new URLSearchParams({ sslmode: 'require', uselibpqcompat: 'true', password_file: file });
  expect(programConnection(`postgresql://owner@one:5432,two:5433/shop?${parameters}`)).toEqual({
    url: 'postgresql://owner@one:5432,two:5433/shop?sslmode=require',
    password: 'from the file',
  });
  expect(programConnection('postgres:///shop')).toEqual({ url: 'postgres:///shop', password: undefined });
});

test.each(['mysql://host/db', 'shop', ''])('%j is refused without showing it', (url) => {
  expect(() => programConnection(url)).toThrow('The address of the database is no PostgreSQL URL');
});
