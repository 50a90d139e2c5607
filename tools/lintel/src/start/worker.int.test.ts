import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { enqueueRun } from '@lintel/persistence';
import {
  createTestDatabase,
  createTestVhost,
  eventually,
  freePort,
  type StartedProgram,
  startProgram,
  testEnvironment,
  uniqueName,
} from '@lintel/testkit';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
const PATIENCE = { timeoutMs: 90_000 };

/** Its job says in the log of its process that it runs there. */
const APPLICATION = `import { defineApplication, job } from '@lintel/application';

const speak = job('speak', { as: { resourceRoles: [] } }, ({ log, run }) => log.info('here is ' + run.id));
export default defineApplication({ id: 'w', name: 'Worker', entities: [], jobs: [speak] });
`;

const [database, vhost] = await Promise.all([createTestDatabase('worker'), createTestVhost('worker')]);
const folder = mkdtempSync(join(tmpdir(), 'lintel-worker-'));
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
writeFileSync(join(folder, 'application.ts'), APPLICATION);
symlinkSync(PACKAGES, join(folder, 'node_modules'));
const variables = {
  SVC_APPLICATION: './application.ts',
  SVC_DATASOURCE_URL: database.url,
  SVC_BROKER_URLS: vhost.url,
  SVC_REDIS_URL: testEnvironment('LINTEL_TEST_REDIS_URL'),
  SVC_REDIS_KEY_PREFIX: uniqueName('worker'),
  SVC_INTERNAL_SECRET: 'internal secret of the test, long enough',
};
const started: StartedProgram[] = [];
afterAll(async () => {
  for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL');
  await vhost.drop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** A command of the folder, when its management listener says that it is ready. */
async function startReady(parameters: readonly string[], more: Readonly<Record<string, string>>) {
  const port = String(await freePort());
  const program = await startProgram(MAIN, parameters, {
    cwd: folder,
    variables: { ...variables, ...more, SVC_DATA_MANAGEMENT_PORT: port },
  });
  started.push(program);
  await eventually(async () => {
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
  }, PATIENCE).catch((cause: unknown) => Promise.reject(new Error(program.output(), { cause })));
  return program;
}

const idOf = (run: number): string => `01890000-0000-7000-8000-00000000000${run}`;
const queue = (run: number) =>
  enqueueRun(
    { query: (statement) => database.query(statement.text, statement.values) },
    { name: 'speak' },
    { id: idOf(run), json: '{}' },
  );
const statesOfRuns = async () =>
  (await database.query<{ state: string }>('SELECT state FROM job.job ORDER BY id')).map(({ state }) => state);

// Asserts contract/jobs.md#workers.
test('a worker runs what data services without jobs leave to it, and ends at SIGTERM', async () => {
  const data = await startReady(['serve-service', 'data'], {
    SVC_JOBS_ENABLED: 'false',
    SVC_DATA_PORT: '0',
    SVC_DATA_INTERNAL_PORT: '0',
  });
  await queue(1);
  const worker = await startReady(['worker'], {});
  await queue(2);
  await eventually(async () => expect(await statesOfRuns()).toEqual(['completed', 'completed']), PATIENCE);
  expect(await worker.stop()).toBe(0);
  expect(await data.stop()).toBe(0);
  const spoken = ({ output }: StartedProgram) => output().match(/here is \S+(?=")/g);
  expect([spoken(worker), spoken(data)]).toEqual([[1, 2].map((id) => `here is ${idOf(id)}`), null]);
});
