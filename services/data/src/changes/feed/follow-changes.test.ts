import { buildModel, entityOf, standardEntity, string } from '@lintel/metadata';
import type { PublishedEvent, PublishedEvents, PublishedRange } from '@lintel/persistence';
import { parsePolicyCondition } from '@lintel/query';
import type { CallerAccess } from '@lintel/reading';
import { eventually } from '@lintel/testkit';
import { Semaphore } from '@lintel/timing';
import { CHANGE_TYPE, changeOf } from '../entity-change.ts';
import { ChangeTail } from './change-tail.ts';
import { type FollowDependencies, type FollowedEntity, followChanges } from './follow-changes.ts';

const model = buildModel({ entities: [standardEntity('t_A', { attributes: { name: string(20) } })] });
const entity = entityOf(model, 't_A');
const access: CallerAccess = {
  read: {
    fingerprint: 'all',
    entity: () => ({ canRead: true, mayView: () => true, rows: undefined, predicates: [] }),
  },
  sessionValue: () => undefined,
  locale: '',
};
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const counter = { add: () => {} };
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Published events in memory. */
class FakeEvents implements PublishedEvents {
  readonly all: PublishedEvent[] = [];
  readonly reads: PublishedRange[] = [];
  listeners = 0;
  isAway = false;
  #wake = (): void => {};

  /** Publishes creations with the numbers as sequence numbers. */
  publish(from: number, to: number, by = 'other'): void {
    for (let number = from; number <= to; number += 1)
      this.all.push({
        sequence: number,
        subject: `t_A/${idOf(number)}`,
        time: '2026-01-01T00:00:00Z',
        data: { entity: 't_A', id: idOf(number), change: 'created', attributes: ['name'], by },
        traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
      });
    this.#wake();
  }
  async latest() {
    return this.all.at(-1)?.sequence ?? 0;
  }
  async read(range: PublishedRange) {
    if (this.isAway) throw new Error('away');
    this.reads.push(range);
    const { after, upTo = Number.POSITIVE_INFINITY, limit } = range;
    return this.all.filter(({ sequence }) => sequence > after && sequence <= upTo).slice(0, limit);
  }
  async keepsAllAfter() {
    return true;
  }
  async listen(wake: () => void) {
    this.listeners += 1;
    this.#wake = wake;
    return {
      close: async () => {
        this.listeners -= 1;
      },
    };
  }
}

function setUp(maxChanges = 5_000) {
  const events = new FakeEvents();
  const tail = new ChangeTail({
    events,
    type: CHANGE_TYPE,
    eventOf: changeOf,
    logger: { warn: () => {} },
    maxChanges,
    pollIntervalMs: 10,
  });
  return { events, tail };
}

interface FollowOptions
  extends Partial<
    FollowedEntity & Pick<FollowDependencies, 'heartbeatMs' | 'loadAccess' | 'visibleRows' | 'rowQueries'>
  > {
  readonly take?: () => Promise<void>;
}

/** A client that receives numbers; `take` delays its reading. */
function follow({ events, tail }: ReturnType<typeof setUp>, options: FollowOptions = {}) {
  const controller = new AbortController();
  const texts: string[] = [];
  const ended = followChanges(
    { entity, after: undefined, retryMs: 1, username: 'me', ...options },
    {
      model,
      tail,
      events,
      visibleRows: options.visibleRows ?? (async () => new Set()),
      rowQueries: options.rowQueries ?? new Semaphore(2),
      loadAccess: options.loadAccess ?? (async () => access),
      encodeEventId: String,
      heartbeatMs: options.heartbeatMs ?? 60_000,
      sent: { created: counter, updated: counter, deleted: counter, removed: counter, published: counter },
    },
    async (text) => {
      texts.push(text);
      await options.take?.();
    },
    controller.signal,
  );
  return {
    texts,
    numbers: () => [...texts.join('').matchAll(/^event: created\nid: (\d+)$/gm)].map(([, id]) => Number(id)),
    stop: async () => {
      controller.abort();
      await ended;
    },
    ended,
  };
}
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

test('all followers share one reader of the events, which stops with the last follower', async () => {
  const world = setUp();
  world.events.publish(1, 3);
  const [one, other] = [follow(world), follow(world)];
  await eventually(() => expect([one.texts.length, other.texts.length]).toEqual([1, 1]));
  const before = world.events.reads.length;
  world.events.publish(4, 6);
  await eventually(() => expect([one.numbers(), other.numbers()]).toEqual([range(4, 6), range(4, 6)]));
  expect(world.events.reads.slice(before).every(({ owners }) => owners === undefined)).toBe(true);
  expect(world.events.listeners).toBe(1);
  await one.stop();
  expect(world.events.listeners).toBe(1);
  await other.stop();
  await eventually(() => expect(world.events.listeners).toBe(0));
});

test('the trace of a change is sent to the user who has made it, and to no other', async () => {
  const world = setUp();
  const client = follow(world);
  await eventually(() => expect(client.texts).toHaveLength(1));
  world.events.publish(1, 1, 'other');
  world.events.publish(2, 2, 'me');
  await eventually(() => expect(client.numbers()).toEqual([1, 2]));
  const sent = [...client.texts.join('').matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
  expect(sent.map(({ id, trace }) => [id, trace])).toEqual([
    [idOf(1), undefined],
    [idOf(2), TRACE],
  ]);
  await client.stop();
});

test('nothing is queued for a slow client: missed changes are read from the database, all of them and once', async () => {
  const world = setUp(10);
  let isStuck = true;
  const released = Promise.withResolvers<void>();
  const slow = follow(world, { take: () => (isStuck ? released.promise : Promise.resolve()) });
  const quick = follow(world);
  await eventually(() => expect(quick.texts).toHaveLength(1));
  for (let at = 0; at < 20; at += 1) {
    world.events.publish(at * 50 + 1, at * 50 + 50);
    await eventually(() => expect(quick.numbers()).toEqual(range(1, at * 50 + 50)));
  }
  expect(slow.texts).toHaveLength(1);
  isStuck = false;
  released.resolve();
  await eventually(() => expect(slow.numbers()).toEqual(range(1, 1_000)));
  expect(world.events.reads.some(({ owners }) => owners?.includes('t_A'))).toBe(true);
  await Promise.all([slow.stop(), quick.stop()]);
});

test('a client that resumes gets all later changes, from the database and then from memory', async () => {
  const world = setUp();
  world.events.publish(1, 700);
  const client = follow(world, { after: 150 });
  await eventually(() => expect(client.numbers()).toEqual(range(151, 700)));
  world.events.publish(701, 702);
  await eventually(() => expect(client.numbers()).toEqual(range(151, 702)));
  await client.stop();
});

test('a database that is unavailable for a while delays the changes, and none is lost', async () => {
  const world = setUp();
  const client = follow(world);
  await eventually(() => expect(client.texts).toHaveLength(1));
  world.events.isAway = true;
  world.events.publish(1, 2);
  world.events.isAway = false;
  await eventually(() => expect(client.numbers()).toEqual([1, 2]));
  await client.stop();
});

test('a client without changes gets heartbeats', async () => {
  const world = setUp();
  const client = follow(world, { heartbeatMs: 5 });
  await eventually(() => expect(client.texts.length).toBeGreaterThan(3));
  expect(client.texts.slice(1).every((text) => text === 'id: 0\n:\n\n')).toBe(true);
  await client.stop();
});

test('the feed of a client that stops reading ends', async () => {
  const world = setUp();
  const client = follow(world, { take: () => Promise.reject(new Error('stalled')) });
  await expect(client.ended).rejects.toThrow('stalled');
  await eventually(() => expect(world.events.listeners).toBe(0));
});

/** Access under row-level rules. */
const limited: CallerAccess = {
  ...access,
  read: {
    fingerprint: 'some',
    entity: () => ({
      canRead: true,
      mayView: () => true,
      rows: parsePolicyCondition("{E}.name = 'red'", undefined, undefined),
      predicates: [],
    }),
  },
};

/** A semaphore whose single permit is in use until `release`. */
function occupiedSemaphore() {
  const semaphore = new Semaphore(1);
  const taken = Promise.withResolvers<void>();
  const ended = semaphore.run(() => taken.promise);
  let queued = 0;
  const rowQueries: FollowDependencies['rowQueries'] = {
    run(work, options) {
      queued += 1;
      return semaphore.run(work, options);
    },
  };
  const release = async (): Promise<void> => {
    taken.resolve();
    await ended;
  };
  return { rowQueries, queued: () => queued, release };
}

test('rights that end while the statement waits for its permit are applied', async () => {
  const world = setUp();
  const semaphore = occupiedSemaphore();
  let now: CallerAccess | undefined = limited;
  let queried = 0;
  const visibleRows: FollowDependencies['visibleRows'] = async (_entity, ids) => {
    queried += 1;
    return new Set(ids);
  };
  const client = follow(world, { rowQueries: semaphore.rowQueries, loadAccess: async () => now, visibleRows });
  await eventually(() => expect(client.texts).toHaveLength(1));
  world.events.publish(1, 2);
  await eventually(() => expect(semaphore.queued()).toBe(1));
  now = undefined;
  await semaphore.release();
  await client.ended;
  expect([client.numbers(), queried]).toEqual([[], 0]);
});

test('a client that disconnects while it waits for its permit runs no statement', async () => {
  const world = setUp();
  const semaphore = occupiedSemaphore();
  let queried = 0;
  const visibleRows: FollowDependencies['visibleRows'] = async (_entity, ids) => {
    queried += 1;
    return new Set(ids);
  };
  const options = { rowQueries: semaphore.rowQueries, loadAccess: async () => limited, visibleRows };
  const [leaving, staying] = [follow(world, options), follow(world, options)];
  await eventually(() => expect([leaving.texts.length, staying.texts.length]).toEqual([1, 1]));
  world.events.publish(1, 1);
  await eventually(() => expect(semaphore.queued()).toBe(2));
  await expect(leaving.stop()).rejects.toThrow();
  await semaphore.release();
  await eventually(() => expect(staying.numbers()).toEqual([1]));
  expect([leaving.numbers(), queried]).toEqual([[], 1]);
  await staying.stop();
});

test('a statement is cancelled when its client disconnects', async () => {
  const world = setUp();
  let given: AbortSignal | undefined;
  const visibleRows: FollowDependencies['visibleRows'] = (_entity, _ids, _access, signal) => {
    given = signal;
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const client = follow(world, { loadAccess: async () => limited, visibleRows });
  await eventually(() => expect(client.texts).toHaveLength(1));
  world.events.publish(1, 1);
  await eventually(() => expect(given?.aborted).toBe(false));
  await expect(client.stop()).rejects.toThrow();
});

test('a client that needs no statement does not wait for the others', async () => {
  const world = setUp();
  const semaphore = occupiedSemaphore();
  const client = follow(world, { rowQueries: semaphore.rowQueries });
  await eventually(() => expect(client.texts).toHaveLength(1));
  world.events.publish(1, 2);
  await eventually(() => expect(client.numbers()).toEqual([1, 2]));
  await Promise.all([client.stop(), semaphore.release()]);
});
