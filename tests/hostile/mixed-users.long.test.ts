import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Attack } from './src/attacks/attack.ts';
import { WANTED_ATTACKS } from './src/attacks.ts';
import { createClient } from './src/client/send-request.ts';
import { createUsers } from './src/crowd/create-users.ts';
import type { CrowdCommand, CrowdReport, CrowdResponse } from './src/crowd/crowd-messages.ts';
import { BOUNDS } from './src/judge-attack.ts';
import type { LatencySummary } from './src/probe/latencies.ts';
import type { ProbeReport } from './src/probe/probe-messages.ts';
import { startProbe } from './src/probe/start-probe.ts';
import { createAttacker, createSessions } from './src/run-attack.ts';
import { publish } from './src/show-figures.ts';
import { startWorker } from './src/start-worker.ts';
import { type HostileSystem, type Mode, startHostileSystem } from './src/system/start-hostile-system.ts';

const MINUTES = Number(process.env['LINTEL_HOSTILE_MINUTES'] ?? 10);
const USERS = 50;
const PAUSE_MS = [500, 1_000] as const;
const HOSTILE_CONCURRENCY = 20;
const HOSTILE_ADDRESS = '127.0.0.66';
const MEBIBYTE = 1024 * 1024;
/** From which on the watchdog reports a blocked event loop; what one request may take is judged by the attacks. */
const WATCHDOG_MS = 1_000;
/** Of the containers of the chart, in bytes; a process of all services has that of data. */
const MEMORY_LIMITS: Readonly<Record<string, number>> = memoryLimits();

interface MixedResult {
  readonly crowd: CrowdReport;
  readonly report: ProbeReport;
  readonly statuses: ReadonlyMap<string, number>;
}

/** All attacks one after another, from one address and with one user's session, until the time is over. */
async function attackUntil(system: HostileSystem, untilMs: number): Promise<ReadonlyMap<string, number>> {
  const sessions = createSessions(system.url);
  const client = createClient(system.url, HOSTILE_ADDRESS, HOSTILE_CONCURRENCY);
  const [known, stranger] = await Promise.all(
    (['manager', 'anonymous'] as const).map((sender) =>
      createAttacker(sender, system, sessions, HOSTILE_ADDRESS, client),
    ),
  );
  if (known === undefined || stranger === undefined) throw new Error('There is no attacker');
  const attackerOf = ({ sender }: Attack) => (sender === 'anonymous' ? stranger : known).attacker;
  const attacks = WANTED_ATTACKS.filter(({ isLong }) => isLong !== true);
  for (const attack of attacks) await attack.prepare?.(attackerOf(attack));
  const statuses = new Map<string, number>();
  let next = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      const attack = attacks[next % attacks.length] as Attack;
      next += 1;
      for (const { status } of await attack.run(attackerOf(attack)))
        statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1);
      if (attack.prepare === undefined) await attack.cleanUp?.(attackerOf(attack));
    }
  };
  try {
    await Promise.all(Array.from({ length: HOSTILE_CONCURRENCY }, work));
  } finally {
    for (const attack of attacks) if (attack.prepare !== undefined) await attack.cleanUp?.(attackerOf(attack));
    known.close();
    stranger.close();
  }
  return statuses;
}

async function runMixed(mode: Mode): Promise<MixedResult> {
  const system = await startHostileSystem(mode);
  const probe = await startProbe({
    url: system.url,
    sockets: system.sockets,
    postmasterPid: system.postmasterPid,
    user: 'auditor',
    intervalMs: 250,
  });
  const crowd = await startWorker<CrowdCommand, CrowdResponse>(
    fileURLToPath(new URL('./src/crowd/crowd-main.ts', import.meta.url)),
  );
  try {
    const usernames = Array.from({ length: USERS }, (_, at) => `ordinary-${at + 1}`);
    const administrator = await createAttacker('admin', system, createSessions(system.url));
    await createUsers(administrator.attacker.asAdmin, usernames);
    administrator.close();
    await crowd.ask({ kind: 'begin', plan: { url: system.url, usernames, pauseMs: PAUSE_MS } });
    const { result, report } = await probe.during(() => attackUntil(system, performance.now() + MINUTES * 60_000));
    const ended = await crowd.ask({ kind: 'end' });
    if (ended.kind !== 'ended') throw new Error(`The users responded with ${ended.kind}`);
    return { crowd: ended.report, report, statuses: result };
  } finally {
    await Promise.all([crowd.close(), probe.close()]);
    await system.stop();
  }
}

function show(mode: Mode, { crowd, report, statuses }: MixedResult): void {
  const row = (kind: string, { count, p50, p99, max }: LatencySummary): string =>
    `| ${kind} | ${count} | ${Math.round(p50)} | ${Math.round(p99)} | ${Math.round(max)} |`;
  const processes = report.processes.map(
    ({ name, maxBlockMs, settledBytes: [before, after], peakBytes }) =>
      `| ${name} | ${Math.round(maxBlockMs)} | ${Math.round((after - before) / MEBIBYTE)} | ${Math.round(peakBytes / MEBIBYTE)} |`,
  );
  publish(
    `One hostile user with ${USERS} others for ${MINUTES} minutes, ${mode}`,
    [
      '| requests of the others | count | p50 ms | p99 ms | max ms |',
      '|---|---|---|---|---|',
      row('all', crowd.all),
      row('the slowest user', crowd.slowestUser),
      ...Object.entries(crowd.byKind).map(([kind, summary]) => row(kind, summary)),
      '',
      '| process | longest block ms | growth MB | peak RSS MB |',
      '|---|---|---|---|',
      ...processes,
      '',
      `Largest backend: ${Math.round(report.maxBackendBytes / MEBIBYTE)} MB. Responses to the hostile user: ${[...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')}.`,
      `Errors of the others: ${JSON.stringify(crowd.errors)}. Interventions: ${report.interventions.join('; ') || 'none'}.`,
    ].join('\n'),
  );
}

describe.each<Mode>(['one process', 'five processes'])('%s', (mode) => {
  test(
    `${USERS} users see no error while a hostile one works and no p99 over ${BOUNDS.otherUserP99Ms} ms`,
    async () => {
      const mixed = await runMixed(mode);
      show(mode, mixed);
      const { crowd, report } = mixed;
      expect(crowd.errors).toEqual({});
      expect(report.otherUser.errors).toEqual([]);
      expect(report.interventions).toEqual([]);
      expect(report.isDatabaseAlive).toBe(true);
      for (const { name, isAlive, maxBlockMs, peakBytes } of report.processes) {
        expect([name, isAlive]).toEqual([name, true]);
        expect(maxBlockMs).toBeLessThan(WATCHDOG_MS);
        expect([name, peakBytes < (MEMORY_LIMITS[name] ?? MEMORY_LIMITS['data'] ?? 0)]).toEqual([name, true]);
      }
      expect(report.maxBackendBytes).toBeLessThan(BOUNDS.backendBytes);
      expect(crowd.slowestUser.p99).toBeLessThan(BOUNDS.otherUserP99Ms);
    },
    (MINUTES + 10) * 60_000,
  );
});

function memoryLimits(): Readonly<Record<string, number>> {
  const values = parse(
    readFileSync(new URL('../../deploy/helm/lintel/values.yaml', import.meta.url), 'utf8'),
  ) as Record<string, { readonly resources?: { readonly limits?: { readonly memory?: string } } } | undefined>;
  return Object.fromEntries(
    ['gateway', 'auth', 'data', 'files', 'reports'].map((name) => {
      const [, count, unit] = /^(\d+)(Mi|Gi)$/.exec(values[name]?.resources?.limits?.memory ?? '') ?? [];
      return [name, Number(count) * (unit === 'Gi' ? 1_024 : 1) * MEBIBYTE];
    }),
  );
}
