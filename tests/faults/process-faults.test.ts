import { setTimeout as sleep } from 'node:timers/promises';
import { IS_LONG } from './fault-length.ts';
import { proveThrough, statusesOf } from './prove-through.ts';
import type { RunningService, ServiceName } from './service-processes.ts';
import { startFaultSystem } from './system/fault-system.ts';

const system = await startFaultSystem();
afterAll(() => system.dispose());

/** While a process is gone; callers ask several times meanwhile. */
const GONE_MS = 700;
/** What callers of a service that is away get: broken off, not reached. */
const AWAY = ['502', '503'];

const ENDS: readonly (readonly [string, (service: RunningService) => Promise<unknown>])[] = [
  ['killed', (service) => service.kill()],
  ['asked to stop', (service) => service.stop()],
];
/** One after another under the same load; in the long form each by itself, killed and stopped. */
const ROUNDS: readonly (readonly [string, readonly ServiceName[], (service: RunningService) => Promise<unknown>])[] =
  IS_LONG
    ? ENDS.flatMap(([how, end]) =>
        (['auth', 'data', 'files', 'reports'] as const).map((name) => [`${name} ${how}`, [name], end] as const),
      )
    : [['auth, data, files and reports killed', ['auth', 'data', 'files', 'reports'], (service) => service.kill()]];

test.each(ROUNDS)(
  '%s: callers get 502 and 503 until the only process is back, and no write is lost or done twice',
  async (name, names, end) => {
    const report = await proveThrough(system, {
      name,
      durationMs: 0,
      begin: async () => {
        for (const service of names) {
          await end(system.services[service]);
          await sleep(GONE_MS);
          await system.services[service].start();
        }
      },
      end: () => undefined,
    });
    expect(statusesOf([report]).filter((status) => !AWAY.includes(status))).toEqual([]);
  },
  240_000,
);

test.each(IS_LONG ? ENDS : ENDS.slice(0, 1))(
  'the only gateway %s: its callers are cut or refused until it is back, and no write is lost or done twice',
  async (how, end) => {
    const { gateway } = system.services;
    await proveThrough(system, {
      name: `gateway ${how}`,
      mayCut: true,
      durationMs: GONE_MS,
      begin: () => end(gateway),
      end: () => gateway.start(),
    });
  },
  240_000,
);
