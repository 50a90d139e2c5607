import { setTimeout as pause } from 'node:timers/promises';
import type { Principal } from '@lintel/contracts';
import type { Statement } from '@lintel/persistence';
import { createAccessLog, type Reader } from './create-access-log.ts';

const principal = { username: 'a\0b', clientId: 'c', sessionId: 's', actingService: undefined } as Principal;

/** A log whose database fails, or does not respond, while `state` says so. */
function logOf(options: { readonly maxIds?: number; readonly patienceMs?: number } = {}) {
  const state = { fails: false, hangs: false };
  const stored: { readonly ids: readonly string[] | undefined; readonly username: string }[] = [];
  const lines: string[] = [];
  const database = {
    async query<R>({ values }: Statement): Promise<readonly R[]> {
      if (state.fails) throw new Error('gone');
      if (state.hangs) await new Promise(() => {});
      stored.push(...JSON.parse(String(values[0])));
      return [];
    },
  };
  let next = 0;
  const logger = {
    error: (_: object, text: string) => void lines.push(text),
    info: (_: object, text: string) => void lines.push(text),
  };
  const ids = { next: () => String(next++) };
  const log = createAccessLog({ database, clock: { now: () => 0 }, ids, logger, ...options });
  const reader: Reader = { log, principal, operation: 'list' };
  const read = (...found: readonly string[]) => log.add(reader, [{ entity: 'e', ids: found, count: found.length }]);
  return { state, stored, lines, log, read };
}

// Asserts contract/access-log.md#written.
describe('entries of the access log', () => {
  test('are stored together, soon, with texts that PostgreSQL accepts', async () => {
    const { stored, read, log } = logOf();
    expect([read('1'), read('2', '3')]).toEqual([undefined, undefined]);
    expect(stored).toEqual([]);
    await pause(400);
    expect(stored.map(({ ids, username }) => [ids, username])).toEqual([
      [['1'], 'a\uFFFDb'],
      [['2', '3'], 'a\uFFFDb'],
    ]);
    await log.close();
  });

  test('wait for room in a full buffer, and enter in their order', async () => {
    const { stored, read, log } = logOf({ maxIds: 2 });
    expect(read('1')).toBeUndefined();
    await Promise.all([read('2'), read('3')]);
    await log.close();
    expect(stored.map(({ ids }) => ids?.[0])).toEqual(['1', '2', '3']);
  });

  test('wait while the database accepts none, are refused after a time, and none is lost afterwards', async () => {
    const { state, stored, lines, read, log } = logOf({ patienceMs: 600 });
    state.fails = true;
    expect(read('1')).toBeUndefined();
    await pause(1_000);
    await expect(read('2')).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
    expect(log.add({ log, principal }, [])).toBeUndefined();
    const waits = read('3');
    expect(waits).toBeDefined();
    state.fails = false;
    await waits;
    await log.close();
    expect(stored.map(({ ids }) => ids?.[0])).toEqual(['1', '3']);
    expect(lines).toEqual(['the access log is not written: readers wait', 'the access log is written again']);
  });

  test('are stored at an orderly end, which ends also where the database does not respond', async () => {
    const { stored, read, log } = logOf();
    for (let at = 0; at < 1_200; at += 1) read(String(at));
    await log.close();
    expect(stored).toHaveLength(1_200);
    const silent = logOf({ patienceMs: 300 });
    silent.state.hangs = true;
    silent.read('1');
    await silent.log.close();
    expect(silent.lines).toEqual(['entries of the access log are lost']);
  });
});
