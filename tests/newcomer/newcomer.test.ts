import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '@lintel/persistence';
import { openHomeDatabase } from '@lintel/standalone';
import { freePort } from '@lintel/testkit';
import { problemsOfPackage } from './check-package.ts';
import { type NewcomerShell, openShell } from './newcomer-shell.ts';
import { printedSteps } from './printed-steps.ts';
import { removeFolder } from './remove-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = ['README.md', 'docs/guide/first-application.md', 'docs/guide/testing.md'];
/** What the pages promise: issue and README speak of ten minutes. */
const LIMIT_MS = 10 * 60_000;

let folder: string;
let shell: NewcomerShell | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-newcomer-'));
  // The database runs as a user of its own, who must be able to get here.
  chmodSync(folder, 0o755);
});
afterAll(async () => {
  await shell?.close();
  removeFolder(folder);
});

/** What `npm install` of a new application has made. */
interface Installation {
  readonly packages: number;
  readonly developmentMb: number;
  readonly productionMb: number;
}

/** Counts packages and megabytes in the folder of the application, also without those of development. */
async function measureInstallation(terminal: NewcomerShell): Promise<Installation> {
  const number = async (commands: string): Promise<number> => Number((await terminal.run(commands)).trim());
  const size = 'du -sm node_modules | cut -f1';
  const packages = await number(
    "find node_modules -name package.json | grep -cE 'node_modules/(@[^/]+/)?[^/@]+/package.json$'",
  );
  const developmentMb = await number(size);
  await terminal.run('npm prune --omit=dev > /dev/null');
  const productionMb = await number(size);
  await terminal.run('npm install > /dev/null');
  return { packages, developmentMb, productionMb };
}

const READING_MS = 5_000;
const GREETING = '/rest/services/shop_Customers/greeting?id=01890000-0000-7000-8000-000000000001';

/** Changes a text of the application that `npm run dev` serves; returns the seconds until a response has each. */
async function changeGreeting(application: string, url: string): Promise<readonly number[]> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('web:secret')}` },
    body: new URLSearchParams({ grant_type: 'password', username: 'clerk', password: 'clerk' }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  const greeting = async (): Promise<readonly [number, string]> => {
    const { status, body } = await fetch(`${url}${GREETING}`, { headers: { authorization: `Bearer ${token}` } }).then(
      async (received) => ({ status: received.status, body: await received.text() }),
    );
    return [status, body];
  };
  expect(await greeting()).toEqual([200, 'Dear Ada Wright,']);
  const file = join(application, 'src/customers/customer-service.ts');
  const seconds: number[] = [];
  for (const [before, after] of [
    ['Dear', 'Hello'],
    ['Hello', 'Good morning'],
    ['Good morning', 'Welcome'],
  ]) {
    // A person reads the result before the next change; meanwhile types are checked, and the next process is prepared.
    await sleep(READING_MS);
    const begin = performance.now();
    writeFileSync(file, readFileSync(file, 'utf8').replace(`\`${before} `, `\`${after} `));
    for (let text = ''; text !== `${after} Ada Wright,`; ) {
      const [status, body] = await greeting();
      expect(status).toBe(200);
      text = body;
      await sleep(25);
    }
    seconds.push((performance.now() - begin) / 1000);
  }
  return seconds;
}

/** A database that another program has made, in a PostgreSQL of its own. */
async function openStrangeDatabase(home: string) {
  const database = await openHomeDatabase(home, () => {});
  const client = createClient(database.url, 'newcomer');
  await client.connect();
  await client.query(readFileSync(join(ROOT, 'tests/existing-databases/databases/chinook.sql'), 'utf8'));
  await client.end();
  return database;
}

/** Serves the tables of a strange database from an empty folder, and resolves when a list of one has been read. */
async function serveStrangeDatabase(terminal: NewcomerShell, erp: string, databaseUrl: string, url: string) {
  await terminal.run(`mkdir ${erp} && cd ${erp}`);
  await terminal.start(`node ${ROOT}tools/lintel/bin/lintel.mjs serve --url ${databaseUrl} --prefix erp`, /^ready in/m);
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('web:secret')}` },
    body: new URLSearchParams({ grant_type: 'password', username: 'admin', password: 'admin' }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  const artists = await fetch(`${url}/rest/entities/erp_Artist`, { headers: { authorization: `Bearer ${token}` } });
  expect([artists.status, await artists.json()]).toEqual([200, expect.arrayContaining([expect.anything()])]);
}

/** Ids and moments differ from run to run. */
const steady = (text: string): string =>
  text
    .trim()
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d{3}/g, '<moment>');

test(
  'from an empty folder to served requests by nothing but the commands that README and guide print',
  async () => {
    const port = await freePort();
    shell = openShell(ROOT, { PORT: String(port) });
    const hereAndNow = (commands: string): string =>
      commands.replaceAll('~/shop', join(folder, 'shop')).replaceAll('localhost:8080', `localhost:${port}`);
    const steps = PAGES.flatMap((page) => printedSteps(readFileSync(join(ROOT, page), 'utf8')));
    const kinds = steps.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'start')).toHaveLength(2);
    expect(kinds.length).toBeGreaterThanOrEqual(12);
    const printed: { commands: string; output: string; shown: string }[] = [];
    const times: string[] = [];
    let installed: Installation | undefined;
    for (const { kind, commands, shown } of steps) {
      const begin = Date.now();
      if (kind === 'start') await shell.start(hereAndNow(commands), /^ready in/m);
      else {
        const output = await shell.run(hereAndNow(commands));
        if (shown !== undefined) printed.push({ commands, output: steady(output), shown: steady(shown) });
      }
      times.push(`${((Date.now() - begin) / 1000).toFixed(1)} s ${commands.trim().split('\n')[0]}`);
      if (/^npm install$/m.test(commands)) installed ??= await measureInstallation(shell);
    }
    await shell.start('npm run dev', /^ready in/m);
    const reload = await changeGreeting(join(folder, 'shop'), `http://localhost:${port}`);
    times.push(
      `${reload.map((seconds) => seconds.toFixed(2)).join(', ')} s from changes of a file to the changed responses`,
    );
    const strange = await openStrangeDatabase(join(folder, 'strange'));
    const served = Date.now();
    await serveStrangeDatabase(shell, join(folder, 'erp'), strange.url, `http://localhost:${port}`);
    times.push(`${((Date.now() - served) / 1000).toFixed(1)} s from an empty folder to a list of an existing database`);
    await shell.close();
    shell = undefined;
    await strange.close();
    process.stderr.write(`${times.join('\n')}\n`);
    expect(installed?.packages).toBeLessThanOrEqual(150);
    // The library of the jobs has 9 MB with what it needs; templates of mails and tables of imports have 5.
    expect(installed?.developmentMb).toBeLessThanOrEqual(105);
    expect(installed?.productionMb).toBeLessThanOrEqual(70);
    const outputs = printed.map(({ commands, output }) => ({ commands, output }));
    expect(outputs).toEqual(printed.map(({ commands, shown }) => ({ commands, output: shown })));
  },
  LIMIT_MS,
);

/** Made by `npm run pack` of the test above. */
const PACKED = join(ROOT, '.lintel', 'packages');

test(
  'every package that is published has what registries, tools and readers expect, and a size',
  async () => {
    const files = Object.values(
      JSON.parse(readFileSync(join(PACKED, 'packages.json'), 'utf8')) as Record<string, string>,
    );
    expect(files.length).toBeGreaterThanOrEqual(11);
    for (const file of files) expect([file, ...(await problemsOfPackage(join(PACKED, file)))]).toEqual([file]);
  },
  LIMIT_MS,
);
