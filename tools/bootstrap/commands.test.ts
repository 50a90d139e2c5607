import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TASKS } from './tasks.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

test('every task has a script that works with an old Node, and leads to a file', () => {
  for (const [task, { module }] of Object.entries<{ module: string | undefined }>(TASKS)) {
    const commands = Object.values(scripts).map((script) => script.split(' --')[0]);
    expect([task, commands.includes(`node tools/bootstrap/run.mjs ${task}`)]).toEqual([task, true]);
    // What is built is not there before the build.
    if (module !== undefined && !module.includes('/dist/'))
      expect([module, existsSync(join(ROOT, module))]).toEqual([module, true]);
  }
});

const runTask = (...parameters: readonly string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'tools/bootstrap/run.mjs'), ...parameters], { encoding: 'utf8' });

test('every task prints its help, and starts nothing', () => {
  for (const task of Object.keys(TASKS)) {
    const { status, stdout } = runTask(task, '--help');
    expect([task, status, stdout]).toEqual([task, 0, expect.stringMatching(/^npm .+\n\n.+\./)]);
  }
});

test.each([
  ['start', '--prot=1'],
  ['test', '--lnog'],
])('npm run %s refuses the unknown option %s', (task, option) => {
  const { status, stderr } = runTask(task, option);
  expect([status, stderr]).toEqual([
    1,
    `npm run ${task} has no option "${option}". See "npm run ${task} -- --help".\n`,
  ]);
});

test.each(['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: ROOT })])(
  'every script that %s names is there, and so are the files that it is given',
  (page) => {
    const text = read(page);
    const named = [
      ...text.matchAll(/\bnpm (?:run )?((?:test|build|lint|dev|bench|start|pack|migrate|services)[\w:]*)/g),
    ];
    expect(named.filter(([, script = '']) => scripts[script] === undefined).map(([command]) => command)).toEqual([]);
    const paths = [...text.matchAll(/\bnpm run [\w:]+ -- (?:--[\w-]+ )*([\w./-]*\/[\w./-]+)/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  },
);

test('the version of Node for version managers is the one that is required', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  expect(engines.node).toMatch(new RegExp(`^>=${read('.nvmrc').trim()}\\.`));
});
