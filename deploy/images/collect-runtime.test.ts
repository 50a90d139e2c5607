import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { collectRuntime } from './collect-runtime.mjs';

let folder: string;
let root: string;
let target: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lintel-image-')));
  root = join(folder, 'repository');
  target = join(folder, 'out');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, content: object | string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
};
const link = (name: string, to: string) => {
  mkdirSync(dirname(join(root, 'node_modules', name)), { recursive: true });
  symlinkSync(join(root, to), join(root, 'node_modules', name));
};
/** A service that uses a library of ours, which uses a package from outside. */
function writeRepository() {
  write('services/data/package.json', {
    name: '@x/data',
    files: ['dist'],
    dependencies: { '@x/lib': '1' },
    devDependencies: { '@x/testkit': '1' },
  });
  write('services/data/dist/main.js', 'main');
  write('services/data/dist/main.d.ts', 'types');
  write('services/data/src/main.ts', 'source');
  write('libs/lib/package.json', { name: '@x/lib', files: ['dist', 'resources'], dependencies: { outside: '2' } });
  write('libs/lib/dist/index.js', 'lib');
  write('libs/lib/resources/a.xml', '<a/>');
  write('libs/testkit/package.json', { name: '@x/testkit', files: [] });
  write('node_modules/outside/package.json', { name: 'outside', version: '1' });
  write('libs/lib/node_modules/outside/package.json', {
    name: 'outside',
    version: '2',
    optionalDependencies: { 'outside-linux': '1', 'outside-windows': '1' },
    peerDependencies: { peer: '1', 'peer-of-others': '1' },
    peerDependenciesMeta: { 'peer-of-others': { optional: true } },
  });
  write('libs/lib/node_modules/outside/lib/index.js', 'outside');
  write('node_modules/outside-linux/package.json', { name: 'outside-linux' });
  write('node_modules/peer/package.json', { name: 'peer' });
  write('node_modules/peer-of-others/package.json', { name: 'peer-of-others' });
  link('@x/data', 'services/data');
  link('@x/lib', 'libs/lib');
  link('@x/testkit', 'libs/testkit');
}

describe('what an image holds', () => {
  test('the dependencies of a service, of the right version, without development and unused packages', () => {
    writeRepository();
    expect([...collectRuntime(target, ['@x/data'], root)].sort()).toEqual([
      'libs/lib',
      'libs/lib/node_modules/outside',
      'node_modules/outside-linux',
      'node_modules/peer',
      'services/data',
    ]);
    expect(existsSync(join(target, 'node_modules/@x/testkit'))).toBe(false);
    expect(readFileSync(join(target, 'libs/lib/node_modules/outside/lib/index.js'), 'utf8')).toBe('outside');
  });

  test('packages of ours with the files they publish, linked as in the repository', () => {
    writeRepository();
    collectRuntime(target, ['@x/data'], root);
    expect(realpathSync(join(target, 'node_modules/@x/lib'))).toBe(join(target, 'libs/lib'));
    expect(readFileSync(join(target, 'node_modules/@x/lib/resources/a.xml'), 'utf8')).toBe('<a/>');
    expect(existsSync(join(target, 'services/data/dist/main.js'))).toBe(true);
    expect(existsSync(join(target, 'services/data/dist/main.d.ts'))).toBe(false);
    expect(existsSync(join(target, 'services/data/src'))).toBe(false);
  });

  test('a package that is not installed or not built is named', () => {
    writeRepository();
    expect(() => collectRuntime(target, ['@x/nothing'], root)).toThrow(
      '@x/nothing is not installed; the image needs it',
    );
    rmSync(join(root, 'services/data/dist'), { recursive: true });
    expect(() => collectRuntime(target, ['@x/data'], root)).toThrow('@x/data has no dist: build first');
  });
});
