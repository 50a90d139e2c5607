import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { memoryOf } from '../measure/processes.ts';

/**
 * `npm run bench:reports [-- --rows 1000000]`: how long the reports service takes for a list of ten columns, and
 * how much memory its process needs at most. Each output has a process of its own; rows come from another one,
 * over HTTP, as the data service sends them.
 */
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const rows = Number(values.rows);

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
}

/** As `deploy` starts the service, and as its `main.ts` sets V8. */
const REPORTS_OPTIONS = ['--max-semi-space-size=8', '--heap-growing-percent=20'];

async function start(
  program: string,
  environment: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): Promise<Started> {
  const file = fileURLToPath(new URL(`./${program}.ts`, import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, ...options, file], {
    env: { ...process.env, ...environment, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${program} ended with code ${code}`)));
    child.once('message', (message) => resolve((message as { readonly url: string }).url));
  });
  return { child, url };
}

const data = await start('rows-server', { LINTEL_BENCH_ROWS: String(rows) });
for (const template of ['csv', 'xlsx']) {
  const reports = await start('reports-server', { LINTEL_BENCH_DATA: data.url }, REPORTS_OPTIONS);
  const pid = reports.child.pid ?? 0;
  const idleMiB = memoryOf(pid)?.rssMiB ?? Number.NaN;
  const begin = performance.now();
  const response = await fetch(`${reports.url}/rest/reports/run/code/rows`, {
    method: 'POST',
    headers: { authorization: 'Bearer bench' },
    body: JSON.stringify({ template }),
  });
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`);
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.length;
  const seconds = (performance.now() - begin) / 1000;
  const { peakMiB } = memoryOf(pid) ?? { peakMiB: Number.NaN };
  console.log(
    `${template.padEnd(4)} ${rows} rows × 10 columns: ${seconds.toFixed(1)} s, ${(bytes / 2 ** 20).toFixed(1)} MiB, ` +
      `resident at most ${peakMiB.toFixed(0)} MiB (idle ${idleMiB.toFixed(0)} MiB)`,
  );
  reports.child.disconnect();
}
data.child.disconnect();
