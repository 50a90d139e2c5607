import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';
import { defaultNames, problemOfId } from './application-names.ts';

let folder: string;
let packages: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-init-'));
  packages = mkdtempSync(join(tmpdir(), 'lintel-packages-'));
  const list = ['application', 'cli', 'errors', 'test'].map(
    (name) => [`@lintel/${name}`, `lintel-${name}-0.1.0.tgz`] as const,
  );
  for (const [, file] of list) writeFileSync(join(packages, file), '');
  writeFileSync(join(packages, 'packages.json'), JSON.stringify(Object.fromEntries(list)));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  rmSync(packages, { recursive: true });
});

const init = async (...parameters: string[]) => {
  const terminal = fakeTerminal();
  const code = await run(['init', join(folder, 'my-shop'), '--packages', packages, ...parameters], terminal);
  return { code, ...terminal };
};
const read = (path: string): string => readFileSync(join(folder, 'my-shop', path), 'utf8');

test('an application is made of the template under its own names', async () => {
  const { code, output } = await init();
  expect(code).toBe(0);
  expect(output()).toContain('Made the application "My shop"');
  expect(read('src/index.ts')).toContain("id: 'myshop',\n  name: 'My shop'");
  expect(read('src/customers/customer.ts')).toContain("standardEntity('myshop_Customer'");
  expect(read('src/migrations/1763000000000-initial.ts')).toContain('CREATE TABLE "myshop"."customer"');
  expect(read('.gitignore')).toContain('node_modules/');
  expect(read('README.md')).not.toMatch(/sample/i);
});

test('files with secrets are neither committed nor in the image, whose code belongs to root', async () => {
  await init();
  expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['*.env', '.env.*', '!.env.example']));
  expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['**/*.env', '**/.env.*']));
  const lines = read('Dockerfile').split('\n');
  const copyAll = lines.indexOf('COPY . .');
  // It may have the token of a registry.
  expect(lines.indexOf('RUN rm .npmrc && mkdir /files')).toBeGreaterThan(copyAll);
  expect(lines).toContain('COPY --from=compile --chown=0:0 /tmp/compile-cache compile-cache');
});

test('secrets are not in command lines, and only the gateway has a port, of this machine', async () => {
  await init();
  const secrets = read('.env.example').match(/^\w+_(?:SECRET|PASSWORD)=.*$/gm) ?? [];
  expect([secrets.length, secrets.filter((line) => !line.endsWith('='))]).toEqual([6, []]);
  const { services } = parse(read('compose.yaml'), { merge: true });
  const commands = Object.values<{ command?: readonly string[] }>(services).flatMap(({ command = [] }) => command);
  expect(commands.filter((parameter) => /\$\{\w+_(?:SECRET|PASSWORD)/.test(parameter))).toEqual([]);
  const gateway = Object.keys(services.gateway.environment);
  expect(gateway.filter((name) => /DATASOURCE|CLIENT_SECRET|ENCRYPTION/.test(name))).toEqual([]);
  const ports = Object.entries<{ ports?: readonly string[] }>(services).filter(([, { ports }]) => ports !== undefined);
  expect(ports.map(([name, { ports }]) => [name, ports])).toEqual([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of Compose.
    ['gateway', ['${BIND_ADDRESS:-127.0.0.1}:${PORT:-8080}:8080']],
  ]);
});

test('the packages are installed from where they were packed, and from nowhere else: what the code uses, and what that needs', async () => {
  await init();
  const { name, dependencies, devDependencies, overrides } = JSON.parse(read('package.json'));
  expect(name).toBe('my-shop');
  expect(Object.keys(dependencies)).toEqual(['@lintel/application', '@lintel/cli']);
  expect(dependencies['@lintel/cli']).toMatch(/^file:\.\.\/.*lintel-cli-0\.1\.0\.tgz$/);
  expect(devDependencies['@lintel/test']).toMatch(/^file:\.\.\/.*lintel-test-0\.1\.0\.tgz$/);
  expect(overrides).toEqual({
    '@lintel/test': '$@lintel/test',
    '@lintel/application': '$@lintel/application',
    '@lintel/cli': '$@lintel/cli',
    '@lintel/errors': expect.stringMatching(/^file:\.\.\/.*lintel-errors-0\.1\.0\.tgz$/),
  });
});

test('a command that was installed from a registry names its own version, and overrides nothing', async () => {
  const { scaffoldFiles } = await import('./scaffold-files.ts');
  const packages = { '@lintel/application': '0.1.0', '@lintel/cli': '0.1.0', '@lintel/test': '0.1.0' };
  const files = scaffoldFiles({ id: 'shop', name: 'Shop', folder, packages });
  const { dependencies, devDependencies, overrides } = JSON.parse(files.get('package.json') ?? '');
  expect(dependencies).toEqual({ '@lintel/application': '0.1.0', '@lintel/cli': '0.1.0' });
  expect(devDependencies['@lintel/test']).toBe('0.1.0');
  expect(overrides).toBeUndefined();
});

test('files that are there are not overwritten, unless that is asked for', async () => {
  await init();
  writeFileSync(join(folder, 'my-shop', 'src', 'roles.ts'), 'mine');
  const { code, notes } = await init();
  expect(code).toBe(2);
  expect(notes()).toContain('src/roles.ts');
  expect(read('src/roles.ts')).toBe('mine');
  expect((await init('--force')).code).toBe(0);
  expect(read('src/roles.ts')).toContain('clerk');
});

test('names come from options, from the person at the terminal, or from the folder', async () => {
  await init('--id', 'corner', '--name', 'Corner shop');
  expect(read('src/index.ts')).toContain("id: 'corner',\n  name: 'Corner shop'");
  const terminal = fakeTerminal({ inputs: ['asked', 'Asked for'] });
  expect(await run(['init', join(folder, 'my-shop'), '--packages', packages, '--force'], terminal)).toBe(0);
  expect(read('src/index.ts')).toContain("id: 'asked',\n  name: 'Asked for'");
});

test('the result is JSON where that is asked for, errors too', async () => {
  const { output } = await init('--json');
  expect(JSON.parse(output())).toMatchObject({ id: 'myshop', files: expect.arrayContaining(['src/index.ts']) });
  expect(JSON.parse((await init('--json')).output())).toEqual({ error: expect.stringContaining('--force') });
});

test.each([
  ['/x/My Shop', { id: 'myshop', name: 'My shop' }],
  ['/x/2024-orders', { id: 'orders', name: '2024 orders' }],
  ['/x/sec', { id: 'app', name: 'Sec' }],
  ['/x/日本', { id: 'app', name: 'App' }],
])('the folder %s has the names %j', (path, names) => {
  expect(defaultNames(path)).toEqual(names);
});

test.each(['', 'Shop', 'my-shop', '1shop', 'sec', 'x'.repeat(31)])('the id "%s" is refused', (id) => {
  expect(problemOfId(id)).toContain('The id');
});

test('an id, a name or a folder of packages that cannot be used is one sentence, without a stack', async () => {
  expect((await init('--id', 'My-Shop')).notes()).toMatch(/^The id "My-Shop" is not usable.*--id\.$/);
  expect((await init('--name', `it's`)).notes()).toMatch(/^A name has.*--name\.$/);
  const terminal = fakeTerminal();
  expect(await run(['init', folder, '--packages', folder], terminal)).toBe(2);
  expect(terminal.notes()).toContain('npm run pack');
});
