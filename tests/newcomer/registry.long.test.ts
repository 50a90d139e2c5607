import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@lintel/testkit';
import { type ProvidedBackends, provide } from '@lintel/testkit/backends';
import { type LocalRegistry, startLocalRegistry } from './local-registry.ts';
import { type NewcomerShell, openShell } from './newcomer-shell.ts';
import { printedSteps } from './printed-steps.ts';
import { removeFolder } from './remove-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LIMIT_MS = 20 * 60_000;
const EARLIER = '0.0.9';
const TOUR_LIMIT_S = 60;
const run = promisify(execFile);

let folder: string;
let port: number;
let programs: ProvidedBackends;
let registry: LocalRegistry;
const shells: NewcomerShell[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-registry-'));
  // The database runs as another user, who must be able to read this folder.
  chmodSync(folder, 0o755);
  programs = await provide({ cosign: true });
  mkdirSync(join(folder, 'bin'));
  symlinkSync(programs.environment['LINTEL_TEST_COSIGN_PROGRAM'] ?? '', join(folder, 'bin', 'cosign'));
  const upstream = (await run('npm', ['config', 'get', 'registry'], { cwd: ROOT })).stdout.trim();
  registry = await startLocalRegistry(join(folder, 'registry'), await freePort(), upstream);
  // npm wants a login before it publishes; this registry checks none.
  const login = `${registry.url.replace('http:', '')}:_authToken=none`;
  writeFileSync(join(folder, 'npmrc'), `registry=${registry.url}\n${login}\n`);
  port = await freePort();
}, LIMIT_MS);
afterAll(async () => {
  for (const shell of shells) await shell.close();
  await registry?.close();
  await programs?.stop();
  removeFolder(folder);
});

/** Opens a shell whose npm has nothing stored: versions of an earlier run have the same numbers. */
function emptyShell(name: string): NewcomerShell {
  const cache = join(folder, `${name}-cache`);
  const shell = openShell(folder, {
    npm_config_userconfig: join(folder, 'npmrc'),
    npm_config_cache: join(cache, 'npm'),
    XDG_CACHE_HOME: cache,
    COSIGN_PASSWORD: 'of-the-test',
    PORT: String(port),
  });
  shells.push(shell);
  return shell;
}

/** Publishes the packages of `npm run pack` in an earlier version. */
async function publishEarlierVersion(shell: NewcomerShell): Promise<void> {
  const packages = JSON.parse(readFileSync(join(ROOT, '.lintel/packages/packages.json'), 'utf8'));
  for (const [name, file] of Object.entries<string>(packages)) {
    const target = join(folder, 'earlier', name);
    await shell.run(`mkdir -p ${target} && tar xzf ${ROOT}.lintel/packages/${file} -C ${target} --strip-components=1`);
    const manifest = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
    const ours = Object.keys(manifest.dependencies ?? {}).filter((needed) => needed.startsWith('@lintel/'));
    for (const needed of ours) manifest.dependencies[needed] = EARLIER;
    writeFileSync(join(target, 'package.json'), JSON.stringify({ ...manifest, version: EARLIER }));
    await shell.run(`cd ${target} && npm publish --ignore-scripts 2>&1`);
  }
}

async function send(method: string, path: string, body?: object): Promise<readonly [number, unknown]> {
  const url = `http://127.0.0.1:${port}`;
  const login = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('web:secret')}` },
    body: new URLSearchParams({ grant_type: 'password', username: 'clerk', password: 'clerk' }),
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const response = await fetch(`${url}/rest/entities/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return [response.status, await response.json()];
}

test(
  'a release at a registry is installed, started, tested and verified, and upgrades an application of an earlier version',
  async () => {
    const releasing = emptyShell('release');
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    await releasing.run(`cd ${ROOT} && npm run pack > /dev/null`);
    await publishEarlierVersion(releasing);
    const user = emptyShell('user');
    await user.run('npm create --yes lintel@latest shop 2>&1 && cd shop && npm install 2>&1');
    const manifest = () => JSON.parse(readFileSync(join(folder, 'shop/package.json'), 'utf8'));
    expect(manifest().overrides).toBeUndefined();
    expect(Object.values(manifest().dependencies)).toEqual(Array(6).fill(EARLIER));
    await user.start('npm start', /^ready in/m);
    const [status] = await send('POST', 'shop_Customer', { name: 'Before the upgrade' });
    expect(status).toBe(201);
    await user.stop();

    const key = join(folder, 'cosign');
    await releasing.run(`PATH=${join(folder, 'bin')}:$PATH\ncosign generate-key-pair --output-key-prefix ${key} 2>&1`);
    const release = `cd ${ROOT} && npm run -s release -- --registry ${registry.url} --key ${key}.key`;
    expect(await releasing.run(release)).toMatch(/^14 packages of version /m);
    expect(await releasing.run(release)).toMatch(/^0 packages of version /m);

    const verified = ['@lintel/platform', '@lintel/cli', 'create-lintel'].map((name) => `${name}@${version}`);
    const files = (await releasing.run(`cd ${folder} && npm pack --silent ${verified.join(' ')}`)).trim().split('\n');
    const bundle = `--bundle ${ROOT}.lintel/packages/provenance.sigstore.json --type slsaprovenance1`;
    const verify = `cosign verify-blob-attestation --key ${key}.pub --insecure-ignore-tlog ${bundle}`;
    for (const file of files) expect(await releasing.run(`${verify} ${file} 2>&1`)).toContain('Verified OK');
    await releasing.run(`echo changed >> ${files[0]}`);
    expect(await releasing.run(`${verify} ${files[0]} 2>&1 || true`)).not.toContain('Verified OK');

    const [upgrade] = printedSteps(readFileSync(join(ROOT, 'docs/guide/upgrading.md'), 'utf8'));
    await user.run(`${upgrade?.commands} 2>&1`);
    expect(Object.values(manifest().dependencies)).toEqual(Array(6).fill(version));
    expect(await user.run('npx lintel --version')).toBe(`${version}\n`);
    await user.start('npm start', /^ready in/m);
    const filter = { conditions: [{ property: 'name', operator: 'contains', value: 'Before' }] };
    const found = await send('POST', 'shop_Customer/search', { filter });
    expect(found).toEqual([200, [expect.objectContaining({ name: 'Before the upgrade' })]]);
    await user.stop();

    const newcomer = emptyShell('newcomer');
    const times: string[] = [];
    const [busy = 0] = loadavg();
    times.push(`load of ${busy.toFixed(1)} on ${availableParallelism()} processors`);
    const begin = performance.now();
    const measure = async (title: string, work: Promise<unknown>): Promise<void> => {
      await work;
      times.push(`${((performance.now() - begin) / 1000).toFixed(1)} s ${title}`);
    };
    await measure('created', newcomer.run('mkdir tour && cd tour && npm create --yes lintel@latest shop 2>&1'));
    await measure('installed', newcomer.run('cd shop && npm install 2>&1'));
    await measure('ready', newcomer.start('npm start', /^ready in/m));
    expect((await send('GET', 'shop_Customer'))[0]).toBe(200);
    const tested = newcomer.run('npm test 2>&1');
    await measure('tested', tested);
    const seconds = (performance.now() - begin) / 1000;
    process.stderr.write(`${times.join('\n')}\n`);
    expect(await tested).toMatch(/pass 4\n/);
    // A machine with more to do than it has processors for measures the other work.
    if (busy < availableParallelism()) expect(seconds).toBeLessThan(TOUR_LIMIT_S);
    await newcomer.run('npm run check');
  },
  LIMIT_MS,
);
