import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestDatabase } from '@lintel/testkit';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';

const TOKEN = 'a-token-of-the-identity-provider';
const PACKAGES = ['scim2-tester==0.5.2', 'scim2-client[httpx2]==0.13.2', 'scim2-models==0.12.3'];
const CHECK = fileURLToPath(new URL('../../test/scim-tester/check.py', import.meta.url));

const run = async (program: string, ...parameters: readonly string[]): Promise<string> =>
  (await promisify(execFile)(program, parameters, { maxBuffer: 64 << 20 })).stdout;

let folder: string;
let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  [folder, testDatabase] = await Promise.all([mkdtemp(join(tmpdir(), 'lintel-scim-')), createAuthDatabase()]);
  const properties = { 'svc.scim.token': TOKEN, 'svc.scim.resource-roles': '*=rest-minimal' };
  auth = await startAuth(testDatabase, { properties });
  await run('python3', '-m', 'venv', join(folder, 'venv'));
  await run(join(folder, 'venv', 'bin', 'python'), '-m', 'pip', 'install', '-q', ...PACKAGES);
}, 600_000);
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

test('all checks of scim2-tester succeed but for those of a search over all types', async () => {
  const output = await run(join(folder, 'venv', 'bin', 'python'), CHECK, `${auth.url}/scim/v2`, TOKEN);
  const results = JSON.parse(output) as readonly { readonly status: string; readonly title: string }[];
  const passed = results.filter(({ status }) => ['SUCCESS', 'COMPLIANT', 'ACCEPTABLE'].includes(status));
  const others = results.filter((result) => !passed.includes(result)).map(({ status, title }) => `${status} ${title}`);
  // The search over all types of resources is not supported (501).
  expect([passed.length, new Set(others)]).toEqual([66, new Set(['SKIPPED search_with_attributes'])]);
}, 300_000);
