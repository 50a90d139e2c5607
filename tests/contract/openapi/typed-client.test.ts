import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { as, baseUrl, send } from '../api.ts';
import type { OpenApi } from './read-document.ts';

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const GENERATOR = join(resolve('openapi-typescript'), '..', '..', 'bin', 'cli.js');
const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

/** Below the repository, so that packages are found. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(ROOT, 'tests', 'contract', '.typed-client-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const CONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    target: 'es2024',
    lib: ['es2024', 'dom'],
    module: 'nodenext',
    types: ['node'],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
  include: ['*.ts'],
};

/** A program that must succeed; its output, and what it complains of otherwise. */
const node = (...parameters: string[]): Promise<string> =>
  run(process.execPath, parameters, {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', LINTEL_BASE_URL: baseUrl },
    maxBuffer: 64 * 1024 * 1024,
  }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${parameters[0]}: ${error.stdout ?? ''}${error.stderr ?? ''}`);
    },
  );

// Asserts contract/api-documents.md#generic.
test('a client that openapi-typescript and openapi-fetch make of the detailed document compiles and calls every endpoint', async () => {
  const document = await as('admin', 'GET', '/docs/openapiDetailed.json');
  await cp(new URL('typed-client/', import.meta.url), folder, { recursive: true });
  await writeFile(join(folder, 'openapi.json'), document.text);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
  // A member with a default need not be sent.
  await node(GENERATOR, 'openapi.json', '--output', 'schema.ts', '--default-non-nullable', 'false');
  await node(COMPILER, '-p', 'tsconfig.json');
  const output = await node('--no-warnings', 'main.ts');
  const responded = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Record<string, number>;

  const generic = (await send('GET', '/rest/docs/openapi.json')).json() as OpenApi;
  const { paths } = document.json() as OpenApi;
  const operations = Object.entries(generic.paths)
    .filter(([path]) => paths[path] !== undefined)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
  expect(operations.length).toBeGreaterThan(50);
  expect(operations.filter((operation) => responded[operation] === undefined)).toEqual([]);
  const failed = operations.filter((operation) => (responded[operation] ?? 0) >= 400);
  // A token of the password grant does not have the scope `openid`; the new password is too short; the user has no
  // second factors and no consents, there are no dead letters, webhooks, jobs and runs, the code is none,
  // the report is defined in code, versions have no template, and the user who must change the password is unknown.
  expect(failed.map((operation) => `${operation} ${responded[operation]}`)).toEqual([
    'get /oauth2/userinfo 403',
    'post /oauth2/password 400',
    'get /rest/service-runs/{runId} 404',
    'delete /rest/service-runs/{runId} 404',
    'delete /rest/user-session/second-factors/{factorId} 404',
    'post /rest/user-session/second-factors/totp/confirm 400',
    'post /rest/user-session/second-factors/recovery-codes 404',
    'post /rest/user-session/password-change 404',
    'delete /rest/user-session/consents/{clientId} 404',
    'post /rest/operations/identity-providers/{name}/test 404',
    'get /rest/operations/dead-letters/{key} 404',
    'delete /rest/operations/dead-letters/{key} 404',
    'post /rest/operations/dead-letters/{key}/retry 404',
    'put /rest/operations/event-handlers/{handlerName} 404',
    'post /rest/operations/webhooks/{webhookId}/test 404',
    'post /rest/operations/jobs/{jobName}/run 404',
    'post /rest/operations/jobs/{jobName}/pause 404',
    'post /rest/operations/jobs/{jobName}/resume 404',
    'get /rest/operations/job-runs/{runId} 404',
    'post /rest/operations/job-runs/{runId}/cancel 404',
    'post /rest/operations/job-runs/{runId}/retry 404',
    'get /rest/rights/explanation 404',
    'post /rest/reports/report/{reportId}/data 400',
    'post /rest/reports/report/{reportId}/versions/{number}/data 400',
    'post /rest/reports/report/{reportId}/versions/{number}/run 400',
  ]);
}, 180_000);
