import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const tasks = [...read('tools/bootstrap/run.mjs').matchAll(/^ {2}'?([\w:]+)'?: \{ module: ('[^']+'|undefined)/gm)];

test('every task has a script that works with an old Node, and leads to a file', () => {
  expect(tasks.length).toBeGreaterThan(10);
  for (const [, task = '', module = ''] of tasks) {
    const commands = Object.values(scripts).map((script) => script.split(' --')[0]);
    expect([task, commands.includes(`node tools/bootstrap/run.mjs ${task}`)]).toEqual([task, true]);
    // What is built is not there before the build.
    if (module !== 'undefined' && !module.includes('/dist/'))
      expect([module, existsSync(join(ROOT, module.slice(1, -1)))]).toEqual([module, true]);
  }
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
