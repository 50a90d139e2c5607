import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@lintel/testkit';
import { type LocalRegistry, startLocalRegistry } from './local-registry.ts';
import { type NewcomerShell, openShell } from './newcomer-shell.ts';
import { removeFolder } from './remove-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LIMIT_MS = 10 * 60_000;
const run = promisify(execFile);

let folder: string;
let registry: LocalRegistry | undefined;
let shell: NewcomerShell | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-registry-'));
});
afterAll(async () => {
  await shell?.close();
  await registry?.close();
  removeFolder(folder);
});

test(
  'npm create lintel, npm start and npm test work with packages that were published to a registry',
  async () => {
    const upstream = (await run('npm', ['config', 'get', 'registry'], { cwd: ROOT })).stdout.trim();
    registry = await startLocalRegistry(join(folder, 'registry'), await freePort(), upstream);
    const npmrc = join(folder, 'npmrc');
    // npm wants a login before it publishes; this registry checks none.
    writeFileSync(npmrc, `registry=${registry.url}\n${registry.url.replace('http:', '')}:_authToken=none\n`);
    const port = String(await freePort());
    // A cache of its own: versions of an earlier run have the same numbers.
    const env = { npm_config_userconfig: npmrc, npm_config_cache: join(folder, 'npm-cache'), PORT: port };
    shell = openShell(ROOT, env);
    await shell.run('npm run pack > /dev/null');
    const publish = 'cd .lintel/publish && npx changeset publish --no-git-tag 2>&1 && cd ../..';
    const published = await shell.run(publish);
    expect(published.match(/@\d+\.\d+\.\d+/g)?.length).toBeGreaterThanOrEqual(11);
    // A repeated release publishes nothing.
    expect(await shell.run(publish)).toContain('No unpublished projects to publish');

    await shell.run(`cd ${folder} && npm create --yes lintel@latest shop 2>&1 && cd shop && npm install 2>&1`);
    const { dependencies, overrides } = JSON.parse(readFileSync(join(folder, 'shop', 'package.json'), 'utf8'));
    expect(overrides).toBeUndefined();
    expect(dependencies['@lintel/application']).toMatch(/^\d+\.\d+\.\d+/);
    await shell.start('npm start', /^ready in/m);
    const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('web:secret')}` },
      body: new URLSearchParams({ grant_type: 'password', username: 'clerk', password: 'clerk' }),
    });
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ token_type: 'bearer' })]);
    expect(await shell.run('npm test 2>&1')).toMatch(/pass 4\n/);
    await shell.run('npm run check');
    expect(await shell.run('npx lintel --version')).toMatch(/^\d+\.\d+\.\d+/);
  },
  LIMIT_MS,
);
