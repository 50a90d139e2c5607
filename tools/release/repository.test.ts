import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestOf } from '../pack/manifest.mjs';
import { copyReadme, repositoryProblem } from './repository.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'lintel-repository-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  const repository = { type: 'git', url: 'git+https://github.com/acme/lintel.git' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.0.0', repository }));
  mkdirSync(join(folder, 'packed'));
});

test('the links of a package lead to the repository of the root package.json', () => {
  copyReadme(folder, join(ROOT, 'libs/client'), join(folder, 'packed'));
  const readme = readFileSync(join(folder, 'packed/README.md'), 'utf8');
  expect(readme).toContain('https://github.com/acme/lintel/blob/main/docs/guide/javascript-client.md');
  expect(readme).not.toContain('github.com/lintel/lintel');
  expect(manifestOf(folder, { name: 'x', description: 'x' })).toMatchObject({
    homepage: 'https://github.com/acme/lintel#readme',
    bugs: { url: 'https://github.com/acme/lintel/issues' },
  });
});

test('a workflow of another repository is refused before anything is published', () => {
  expect(repositoryProblem(folder, 'Acme/Lintel')).toBeUndefined();
  expect(repositoryProblem(folder, undefined)).toBeUndefined();
  expect(repositoryProblem(folder, 'other/lintel')).toContain('The workflow runs in other/lintel');
});
