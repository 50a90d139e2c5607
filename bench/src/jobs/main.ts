import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createDatabase, storeJobQueue } from '@lintel/persistence';
import { memoryOf } from '../measure/processes.ts';
import { EMPTY_JOB } from '../servers/server-settings.ts';
import { startSalesService } from '../servers/start-sales-service.ts';

/**
 * `npm run bench:jobs [-- --runs 100000]`: how many runs of an empty job a data service ends in a second, what is
 * left of them in its memory and in the table, and how soon after its commit a run starts.
 */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '100000' } } });
const runs = Number(values.runs);
const SINGLE_RUNS = 200;
const IDLE_MS = 20_000;

await using stack = new AsyncDisposableStack();
// Queued before the service runs: what is measured is only how they are run.
const { server, client, authorization } = await startSalesService(
  stack,
  'jobs',
  { jobs: true },
  async (url, prepared) => {
    const database = createDatabase({
      url,
      maxConnections: 1,
      statementTimeoutMs: 10_000,
      applicationName: 'lintel-bench',
    });
    await storeJobQueue(database, { name: EMPTY_JOB, overlap: true });
    await database.close();
    await prepared.query(
      // Of one user: the runs of others are looked for in vain.
      `INSERT INTO job.job (name, data, policy, retry_limit, retry_delay, retry_backoff, heartbeat_seconds, keep_until,
         group_id)
       SELECT $1, '{"args":{}}', 'standard', 3, 2, true, 30, now() + interval '1 year', 'ada'
       FROM generate_series(1, $2)`,
      [EMPTY_JOB, runs],
    );
    await prepared.query('VACUUM ANALYZE job.job');
  },
);

async function stateOf() {
  const { rows } = await client.query<{ done: number; seconds: number; dead: number }>(
    `SELECT count(*) FILTER (WHERE state = 'completed')::int AS done,
       extract(epoch FROM max(completed_on) - min(started_on))::float AS seconds,
       (SELECT n_dead_tup::int FROM pg_stat_user_tables WHERE relid = 'job.job_common'::regclass) AS dead
     FROM job.job WHERE name = $1`,
    [EMPTY_JOB],
  );
  return rows[0] ?? { done: 0, seconds: Number.NaN, dead: 0 };
}

const memory = (): string => (memoryOf(server.pid)?.rssMiB ?? Number.NaN).toFixed(0);
let state = await stateOf();
while (state.done < runs) {
  await sleep(1_000);
  state = await stateOf();
  console.log(`${state.done} runs have ended, ${state.dead} dead rows, ${memory()} MiB`);
}
console.log(`${runs} runs in ${state.seconds.toFixed(1)} s: ${(runs / state.seconds).toFixed(0)} a second`);

const waits: number[] = [];
for (let at = 0; at < SINGLE_RUNS; at++) {
  const response = await fetch(`${server.url}/rest/operations/jobs/${EMPTY_JOB}/run`, {
    method: 'POST',
    headers: { authorization },
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  await sleep(20);
}
const { rows } = await client.query<{ ms: number }>(
  `SELECT extract(epoch FROM started_on - created_on)::float * 1000 AS ms FROM job.job
   WHERE name = $1 ORDER BY created_on DESC LIMIT $2`,
  [EMPTY_JOB, SINGLE_RUNS],
);
waits.push(...rows.map(({ ms }) => ms).sort((left, right) => left - right));
const part = (share: number): string => (waits[Math.ceil(waits.length * share) - 1] ?? Number.NaN).toFixed(1);
console.log(`A run starts after ${part(0.5)} ms (p50), ${part(0.99)} ms (p99), ${part(1)} ms at most`);
await server.collectWhenIdle();
await sleep(IDLE_MS);
await client.query('VACUUM job.job_common');
console.log(`After garbage collection and a vacuum: ${(await stateOf()).dead} dead rows, ${memory()} MiB`);
