import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { runProgram } from '../../tools/bootstrap/run-program.mjs';
import { bundleModules, LATE_HAS_NAMES, LEFT_ALONE } from './bundle-modules.mjs';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lintel-bundle-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, content: object | string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
};
/** The folder of a package in the repository. */
const installed = (name: string) => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));

/** A library with a class, a service that uses it and packages from outside, and an application beside them. */
function writeRuntime() {
  write('libs/model/package.json', {
    name: '@x/model',
    version: '4.5.6',
    type: 'module',
    exports: {
      '.': { 'lintel-source': './src/index.ts', default: './dist/index.js' },
      './testing': './test/testing.ts',
    },
  });
  write('libs/model/dist/index.js', "export { Model } from './model.js';");
  write(
    'libs/model/dist/model.js',
    `import { createRequire } from 'node:module';
     /* Ω */
     export class Model {}
     Model.letters = ['Ω'.length, /^[ΩΣ]$/.test('\\u03a3')];
     Model.version = createRequire(import.meta.url)('../package.json').version;`,
  );
  mkdirSync(join(folder, 'node_modules/@x'), { recursive: true });
  symlinkSync('../../libs/model', join(folder, 'node_modules/@x/model'));
  write('node_modules/old/package.json', { name: 'old', version: '1.2.3', main: 'old.js', module: 'new.js' });
  write('node_modules/old/old.js', "module.exports = { path: require('path').sep, of: require('./package.json') };");
  write('node_modules/old/new.js', "throw new Error('for bundlers');");
  write('services/data/package.json', { name: '@x/data', type: 'module' });
  write(
    'services/data/dist/main.js',
    `import { Model } from '@x/model';
     import old from 'old';
     import { late } from './app.js';
     import { page } from './pages/page.js';
     const { default: made } = await import(process.argv[2]);
     console.log(JSON.stringify([made instanceof Model, Model.name, Model.letters, old.path, old.of.version, await late(), Model.version, page.href]));`,
  );
  write('services/data/dist/pages/page.js', "export const page = new URL('../../pages/', import.meta.url);");
  write('services/data/dist/app.js', "export const late = async () => (await import('./late.js')).createRequireOf();");
  write(
    'services/data/dist/late.js',
    `import { createRequire } from 'node:module';
     export const createRequireOf = () => createRequire(import.meta.url).resolve('old');`,
  );
  write('application.mjs', "import { Model } from '@x/model'; export default new Model();");
}

describe('modules that are put together', () => {
  test('do the same, are the ones that an application gets, and find packages of the image', async () => {
    writeRuntime();
    await bundleModules(folder, 'data');
    // Nothing but the bundle is used.
    for (const path of ['libs/model/dist/model.js', 'services/data/dist/app.js', 'services/data/dist/late.js'])
      rmSync(join(folder, path));
    const { code, output } = await runProgram(
      process.execPath,
      [join(folder, 'services/data/dist/main.js'), join(folder, 'application.mjs')],
      { cwd: folder },
    );
    expect({ code, output }).toEqual({ code: 0, output: expect.any(String) });
    const oldFile = join(folder, 'node_modules/old/old.js');
    const pages = pathToFileURL(join(folder, 'services/data/pages/')).href;
    expect(JSON.parse(output)).toEqual([true, 'Model', [1, true], '/', '1.2.3', oldFile, '4.5.6', pages]);
  });

  test('are texts of one byte for each character, with maps that Node reads for traces', async () => {
    writeRuntime();
    write(
      'libs/model/dist/model.js',
      "// comment\n\n\nexport class Model { static fail() { throw new Error('here'); } }",
    );
    write('application.mjs', "import { Model } from '@x/model'; Model.fail();");
    await bundleModules(folder, 'data');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /^(chunks|libs|services).*\.js$/.test(file),
    );
    const bundled = files.filter((file) => existsSync(join(folder, `${file}.map`)));
    expect(bundled.length).toBeGreaterThan(2);
    for (const file of bundled) expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/[\u0100-\uffff]|comment/);
    const { output } = await runProgram(
      process.execPath,
      ['--enable-source-maps', join(folder, 'services/data/dist/main.js'), join(folder, 'application.mjs')],
      { cwd: folder },
    );
    expect(output).toMatch(/libs\/model\/dist\/model\.js:4:/);
  });

  test('are without what few requests need of large packages, which is loaded when it is used', async () => {
    writeRuntime();
    const of = (name: string, more: object) => ({ name, version: '1.0.0', main: 'lib/index.js', ...more });
    write('node_modules/zod/package.json', of('zod', { type: 'module', main: 'v4/index.js' }));
    write('node_modules/zod/v4/index.js', "export * as locales from './locales/index.js';");
    write('node_modules/zod/v4/locales/index.js', "export * from './de.js'; export { default as en } from './en.js';");
    write('node_modules/zod/v4/locales/de.js', "export const de = 'every other language';");
    write('node_modules/zod/v4/locales/en.js', "export default 'English';");
    write('node_modules/iconv-lite/package.json', of('iconv-lite', {}));
    write('node_modules/iconv-lite/lib/index.js', "exports.tables = () => require('../encodings').tables;");
    write('node_modules/iconv-lite/encodings/index.js', "exports.tables = 'every other encoding';");
    write('node_modules/undici/package.json', of('undici', { main: 'index.js' }));
    write(
      'node_modules/undici/index.js',
      "exports.Client = require('./lib/dispatcher/client.js'); exports.rest = 'fetch';",
    );
    write('node_modules/undici/lib/dispatcher/client.js', 'module.exports = class Client {};');
    write('libs/http-client/package.json', { type: 'module', exports: { '.': { default: './dist/index.js' } } });
    write(
      'libs/http-client/dist/kept-connections.js',
      "import { Client } from 'undici'; export const name = Client.name;",
    );
    write('libs/http-client/dist/index.js', "export { name } from './kept-connections.js';");
    write(
      'services/data/dist/main.js',
      `import * as zod from 'zod'; import iconv from 'iconv-lite'; import { name } from '../../../libs/http-client/dist/index.js';
       console.log(JSON.stringify([Object.keys(zod.locales), iconv.tables(), name]));`,
    );
    await bundleModules(folder, 'data');
    const { output } = await runProgram(process.execPath, [join(folder, 'services/data/dist/main.js')], {
      cwd: folder,
    });
    expect(JSON.parse(output)).toEqual([['en'], 'every other encoding', 'Client']);
    const bundled = readdirSync(join(folder, 'chunks')).map((name) =>
      readFileSync(join(folder, 'chunks', name), 'utf8'),
    );
    const text = [readFileSync(join(folder, 'services/data/dist/main.js'), 'utf8'), ...bundled].join();
    for (const left of ['every other language', 'every other encoding', 'fetch']) expect(text).not.toContain(left);
  });

  test.each([
    'zod/v4/locales/index.js',
    'zod/v4/locales/en.js',
    'iconv-lite/encodings/index.js',
    'undici/lib/dispatcher/client.js',
    'undici/lib/dispatcher/client-h2.js',
    'rate-limiter-flexible/index.js',
    'pg/lib/crypto/utils.js',
  ])('leave out parts of packages by the names that these have: %s', (path) => {
    expect(existsSync(new URL(`../../node_modules/${path}`, import.meta.url))).toBe(true);
  });

  test('read the table of media types when one is looked up', async () => {
    writeRuntime();
    for (const name of ['mime-types', 'mime-db']) symlinkSync(installed(name), join(folder, 'node_modules', name));
    write(
      'services/data/dist/observe.js',
      `export const reads = { count: 0 };
       const keys = Object.keys;
       Object.keys = (of) => {
         if ('application/json' in of) reads.count += 1;
         return keys(of);
       };`,
    );
    write(
      'services/data/dist/main.js',
      `import { reads } from './observe.js'; import types from 'mime-types';
       const before = reads.count;
       const found = [types.lookup('a.json'), types.contentType('html'), types.extension('text/plain'), types.types.svg];
       console.log(JSON.stringify([before, reads.count, found, types.extensions['image/png'], types.charsets.lookup('text/css')]));`,
    );
    await bundleModules(folder, 'data');
    const { output } = await runProgram(process.execPath, [join(folder, 'services/data/dist/main.js')], {
      cwd: folder,
    });
    const found = ['application/json', 'text/html; charset=utf-8', 'txt', 'image/svg+xml'];
    expect(JSON.parse(output)).toEqual([0, 1, found, ['png'], 'UTF-8']);
  });

  test('load HTTP/2 when a connection uses it, and of the rate limits only those of Redis', async () => {
    writeRuntime();
    for (const name of ['undici', 'rate-limiter-flexible'])
      symlinkSync(installed(name), join(folder, 'node_modules', name));
    write('libs/http-client/package.json', { type: 'module', exports: { '.': { default: './dist/index.js' } } });
    write('libs/http-client/dist/kept-connections.js', "import { Client } from 'undici'; export { Client };");
    write('libs/http-client/dist/index.js', "export { Client } from './kept-connections.js';");
    write(
      'services/data/dist/main.js',
      `import { Client } from '../../../libs/http-client/dist/index.js';
       import * as limits from 'rate-limiter-flexible';
       const isLoaded = (name) => process.moduleLoadList.includes('NativeModule ' + name);
       new Client('http://localhost:1');
       const loaded = [isLoaded('http2'), isLoaded('cluster')];
       const { RateLimiterRedis, RateLimiterRes } = limits;
       console.log(JSON.stringify([loaded, new RateLimiterRes(1).remainingPoints, typeof RateLimiterRedis, 'RateLimiterMemory' in limits]));`,
    );
    await bundleModules(folder, 'data');
    const { output } = await runProgram(process.execPath, [join(folder, 'services/data/dist/main.js')], {
      cwd: folder,
    });
    expect(JSON.parse(output)).toEqual([[false, false], 1, 'function', false]);
  });

  test('compute the hashes of a login at PostgreSQL as pg does', async () => {
    writeRuntime();
    symlinkSync(installed('pg'), join(folder, 'node_modules/pg'));
    const made = `async (hashes, [salt, certificate]) => {
      const key = await hashes.deriveKey('sécret', salt, 4096);
      const all = [key, await hashes.hmacSha256(key, 'Client Kéy'), await hashes.sha256(key)];
      for (const name of ['SHA-256', 'SHA-384', 'SHA-512']) all.push(await hashes.hashByName(name, certificate));
      const texts = [await hashes.md5('té'), await hashes.postgresMd5PasswordHash('user', 'sécret', salt)];
      const names = Object.keys(hashes).sort();
      return [all.map((bytes) => Buffer.from(bytes).toString('hex')), texts, hashes.randomBytes(18).length, names];
    }`;
    const parts = "[Buffer.from('0123456789abcdef', 'hex'), Buffer.from('certificate')]";
    write(
      'services/data/dist/main.js',
      `import hashes from '${installed('pg')}/lib/crypto/utils.js';
       console.log(JSON.stringify([process.moduleLoadList.includes('NativeModule internal/crypto/webcrypto'), await (${made})(hashes, ${parts})]));`,
    );
    write(
      'original.mjs',
      `import hashes from '${installed('pg')}/lib/crypto/utils.js'; console.log(JSON.stringify(await (${made})(hashes, ${parts})));`,
    );
    await bundleModules(folder, 'data');
    const run = async (file: string) =>
      JSON.parse((await runProgram(process.execPath, [file], { cwd: folder })).output);
    const expected = await run(join(folder, 'original.mjs'));
    expect(await run(join(folder, 'services/data/dist/main.js'))).toEqual([false, expected]);
  });

  test('that are imported late from a package that is no ES module are named', async () => {
    writeRuntime();
    write('services/data/dist/app.js', "export const late = async () => (await import('old')).path;");
    await expect(bundleModules(folder, 'data')).rejects.toThrow('old is no ES module');
  });

  test('that are missing are named', async () => {
    writeRuntime();
    write('services/data/dist/app.js', "import 'not-there'; export const late = () => 1;");
    const main = readFileSync(join(folder, 'services/data/dist/main.js'), 'utf8');
    await expect(bundleModules(folder, 'data')).rejects.toThrow('Could not resolve "not-there"');
    expect(readFileSync(join(folder, 'services/data/dist/main.js'), 'utf8')).toBe(main);
  });
});

test('packages that the sources import late have names in a bundle', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const files = globSync('{libs,services}/*/src/**/*.ts', { cwd: root }).filter(
    (path) => !path.endsWith('.test.ts') && !path.startsWith('libs/testkit/'),
  );
  const late = files.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/(?<!typeof )\bimport\('(?!node:)([a-z@][^']*)'\)/g)].map(
      ([, name]) => ({ path: join(root, path.replace('/src/', '/dist/').replace(/\.ts$/, '.js')), name }),
    ),
  );
  expect(late.length).toBeGreaterThan(5);
  for (const { path, name } of late) {
    const stdin = { contents: `await import('${name}')`, resolveDir: dirname(path), sourcefile: path };
    const options = { bundle: true, write: false, platform: 'node', format: 'esm', logLevel: 'silent' } as const;
    await build({ ...options, stdin, external: LEFT_ALONE, plugins: [LATE_HAS_NAMES] });
  }
});
