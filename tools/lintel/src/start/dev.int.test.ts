import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, type StartedProgram, startProgram } from '@lintel/testkit';
import { scaffoldFiles } from '../init/scaffold-files.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
const GREETING = '/services/shop_Customers/greeting?id=01890000-0000-7000-8000-000000000001';
const SERVICE = 'src/customers/customer-service.ts';
const PATIENCE = { timeoutMs: 60_000 };

let folder: string;
let program: StartedProgram;

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const edit = (path: string, from: string, to: string): void => {
  const text = read(path);
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
  writeFileSync(join(folder, path), text.replace(from, to));
};
const start = () => startProgram(MAIN, ['dev'], { cwd: folder, client: 'web:secret' });

function createApplication(): void {
  folder = mkdtempSync(join(tmpdir(), 'lintel-dev-'));
  // As root, PostgreSQL runs as another user, who must be able to enter.
  chmodSync(folder, 0o755);
  const files = scaffoldFiles({ id: 'shop', name: 'Shop', folder, packages: {} });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
}

const end = async (): Promise<number | null> => {
  const code = await program.stop();
  rmSync(folder, { recursive: true, force: true });
  return code;
};

const greeting = async (): Promise<readonly [number, string]> => {
  const { status, text } = await program.send('clerk', 'GET', GREETING);
  return [status, text];
};

describe('an application that has started', () => {
  beforeAll(async () => {
    createApplication();
    program = await start();
    await program.ready();
  });
  afterAll(async () => {
    expect(await end()).toBe(0);
    expect(program.output()).toContain('Stopped');
  });

  test('a change is served without a new login and without a refused request; data stays', async () => {
    expect(await greeting()).toEqual([200, 'Dear Ada Wright,']);
    const customer = { name: 'Ben Hill', city: 'Rome' };
    expect((await program.send('clerk', 'POST', '/entities/shop_Customer', customer)).status).toBe(201);
    for (const [former, word] of [
      ['Dear', 'Hello'],
      ['Hello', 'Hi'],
    ] as const) {
      edit(SERVICE, `\`${former} \${`, `\`${word} \${`);
      const seen = new Set<string>();
      // Requests wait for the new version; those before the change was noticed have the former one.
      await eventually(async () => {
        const [status, text] = await greeting();
        expect(status).toBe(200);
        seen.add(text);
        expect(text).toBe(`${word} Ada Wright,`);
      }, PATIENCE);
      expect([...seen].filter((text) => text !== `${former} Ada Wright,`)).toEqual([`${word} Ada Wright,`]);
    }
    const { json } = await program.send('clerk', 'GET', '/entities/shop_Customer?sort=name&fetchPlan=_local');
    expect(json().map(({ name }: { name: string }) => name)).toContain('Ben Hill');
    await eventually(() =>
      expect(program.output()).toMatch(/reloaded in \d+ ms: src\/customers\/customer-service\.ts/),
    );
  }, 240_000);

  test('while the application does not start, requests return 503 with the reason; then all is as before', async () => {
    expect((await greeting())[0]).toBe(200);
    edit('src/roles.ts', "'shop_Customer'", "'shop_Custmer'");
    await eventually(async () => {
      const [status, text] = await greeting();
      expect([status, JSON.parse(text).error]).toEqual([503, 'The application does not start']);
      expect(text).toContain('there is no entity shop_Custmer; did you mean shop_Customer?');
    }, PATIENCE);
    const page = await fetch(program.url, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<pre>The application is not valid:');
    expect(program.output()).toContain('The application does not start. Requests are 503 until it does.');
    edit('src/roles.ts', "'shop_Custmer'", "'shop_Customer'");
    await eventually(async () => expect(await greeting()).toEqual([200, 'Hi Ada Wright,']), PATIENCE);
  }, 240_000);

  test('errors of types are shown, and do not stop the application', async () => {
    edit(SERVICE, 'name.trim()', 'name.trim(7)');
    await eventually(
      () =>
        expect(program.output()).toMatch(
          /Errors of types:\s+src\/customers\/customer-service\.ts\(\d+,\d+\): error TS/,
        ),
      PATIENCE,
    );
    expect(await greeting()).toEqual([200, 'Hi Ada Wright,']);
  }, 240_000);
});

test('a migration that loses data waits for somebody, the database is copied, and the copy comes back', async () => {
  createApplication();
  program = await start();
  await program.ready();
  const cities = async (): Promise<string> => (await program.send('clerk', 'GET', '/entities/shop_Customer')).text;
  expect(await cities()).not.toContain('Atlantis');
  writeFileSync(
    join(folder, 'src/migrations/1763000000001-move.ts'),
    `import { defineMigration } from '@lintel/application';
export const migration1763000000001 = defineMigration({
  name: '1763000000001-move',
  up: [\`UPDATE shop.customer SET city = 'Atlantis'\`],
  down: [],
});
`,
  );
  edit('src/migrations/index.ts', '[migration1763000000000]', '[migration1763000000000, migration1763000000001]');
  edit(
    'src/migrations/index.ts',
    'import type',
    "import { migration1763000000001 } from './1763000000001-move.ts';\nimport type",
  );
  await eventually(async () => {
    expect(program.output()).toContain("    UPDATE shop.customer SET city = 'Atlantis'");
    const response = await fetch(program.url);
    const text = await response.text();
    expect([response.status, text]).toEqual([503, expect.stringContaining('1763000000001-move')]);
    expect(JSON.parse(text).details).toContain('To run them, run "lintel migrate run".');
    expect(text).not.toContain('Enter');
  }, PATIENCE);
  const lintel = async (...parameters: readonly string[]): Promise<readonly [number | null, string]> => {
    const command = await startProgram(MAIN, parameters, { cwd: folder });
    return [await command.ended, command.output()];
  };
  expect(await lintel('migrate', 'run')).toEqual([0, expect.stringContaining('"lintel db undo" restores the copy')]);
  await eventually(async () => expect(await cities()).toContain('Atlantis'), PATIENCE);
  // A program without requests closes its connections after some seconds.
  let isAsking = true;
  const asking = (async () => {
    while (isAsking) await cities();
  })();
  expect(await lintel('db', 'undo', '--yes')).toEqual([2, expect.stringContaining('Others are connected')]);
  isAsking = false;
  await asking;
  await program.stop();
  expect((await lintel('db', 'undo', '--yes'))[0]).toBe(0);
  expect(await lintel('migrate', 'status')).toEqual([1, expect.stringContaining('pending   1763000000001-move')]);
  expect((await lintel('db', 'undo', '--yes'))[1]).toContain('There is no copy of the database');
  edit('src/index.ts', 'entities: [Customer]', 'entities: []');
  expect((await lintel('db', 'undo', '--yes'))[1]).toContain('There is no copy of the database');
  // Sources that cannot be loaded are named by every command.
  edit('src/roles.ts', 'export', 'exprt');
  for (const command of [
    ['migrate', 'status'],
    ['role', 'list'],
  ])
    expect(await lintel(...command)).toEqual([2, expect.stringMatching(/src\/roles\.ts:\d+:\d+: SyntaxError/)]);
  rmSync(folder, { recursive: true, force: true });
}, 240_000);

test('an application that does not start at first is served as soon as it does', async () => {
  createApplication();
  edit('src/index.ts', 'defineApplication({', 'defineApplication({{');
  program = await start();
  await eventually(async () => {
    const response = await fetch(program.url);
    expect(response.status).toBe(503);
    expect(((await response.json()) as { details: string }).details).toContain('src/index.ts');
  }, PATIENCE);
  edit('src/index.ts', 'defineApplication({{', 'defineApplication({');
  await eventually(async () => expect((await greeting())[0]).toBe(200), PATIENCE);
  // It may not be started twice.
  const second = await startProgram(MAIN, ['dev'], { cwd: folder });
  await eventually(() => expect(second.output()).toContain('Lintel is already running at'), PATIENCE);
  await second.stop();
  await end();
}, 240_000);
