import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cacheDeclarations } from '../../src/caches/declarations.ts';
import { hasLastingMap } from './find-lasting-maps.ts';
import { MEMOS } from './memos.ts';
import { readSources } from './read-sources.ts';

const root = new URL('../../../../', import.meta.url);
const sources = readSources(root, ['libs', 'services']).filter(({ path }) => !path.startsWith('libs/testkit/'));

/** The caches that the page has, in a process without the caches of other tests and of the packages that they load. */
function namesOnPage(): unknown {
  const module = new URL('../../src/caches/declarations.ts', import.meta.url).href;
  const script = `import { cacheDeclarations } from '${module}';
    console.log(JSON.stringify(cacheDeclarations().map(({ name }) => name)));`;
  const parameters = ['--conditions=lintel-source', '--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, parameters, { encoding: 'utf8' }));
}

test('every declaration of the code is on the page', () => {
  const declared = sources.flatMap(({ text }) =>
    [...text.matchAll(/declareCache\(\{\s+name: '([^']+)'/g)].map(([, name]) => name),
  );
  expect(namesOnPage()).toEqual(declared.toSorted());
});

test('each value that outlives a request is a cache with a declaration, or is listed with the reason why it is none', () => {
  const lasting = sources.filter(({ text }) => hasLastingMap(text)).map(({ path }) => path);
  expect(lasting.filter((path) => !MEMOS.some((memo) => memo.path === path))).toEqual([]);
  const paths = new Set(sources.map(({ path }) => path));
  expect(MEMOS.filter(({ path }) => !paths.has(path))).toEqual([]);
});

test('each cache that writers wait for has a test that clients see their own changes at once', () => {
  const proofs = ['tests/faults/load/prove-own-writes.ts', 'services/data/test/own-writes.int.test.ts']
    .map((path) => readFileSync(new URL(path, root), 'utf8'))
    .join('\n');
  const proved = [...proofs.matchAll(/^ {2}'?([a-z-]+)'?: async \(send|in either process: ([a-z-]+)/gm)];
  const waitedFor = cacheDeclarations().filter(({ ownWrites }) => ownWrites?.startsWith('before the response'));
  expect([...new Set(proved.map(([, one, other]) => one ?? other))].toSorted()).toEqual(
    waitedFor.map(({ name }) => name),
  );
});

test('the whole library of a least recently used map is that of the caches', () => {
  const users = sources.filter(({ text }) => text.includes("from 'lru-cache'")).map(({ path }) => path);
  expect(users.every((path) => path.startsWith('libs/cache/src/caches/'))).toBe(true);
});
