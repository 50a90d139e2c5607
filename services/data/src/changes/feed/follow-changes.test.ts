import { buildModel, entityOf, standardEntity, string } from '@lintel/metadata';
import type { PublishedEvent, PublishedEvents, PublishedRange } from '@lintel/persistence';
import { parsePolicyCondition } from '@lintel/query';
import { eventually } from '@lintel/testkit';
import type { CallerAccess } from '../../entities/read-dependencies.ts';
import { ChangeTail } from './change-tail.ts';
import { type FollowDependencies, type FollowedEntity, followChanges } from './follow-changes.ts';
import { inTurns } from './in-turns.ts';

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
const counter = { add: () => {} };
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Published events in memory. */
class FakeEvents implements PublishedEvents {
  readonly all: PublishedEvent[] = [];
  readonly reads: PublishedRange[] = [];
  listeners = 0;
  isAway = false;
  #wake = (): void => {};

  /** Publishes creations of the numbers, each at the place of its number. */
  publish(from: number, to: number): void {
    for (let number = from; number <= to; number += 1)
      this.all.push({
        place: number,
        subject: `t_A/${idOf(number)}`,
        data: { entity: 't_A', id: idOf(number), change: 'created', attributes: ['name'] },
      });
    this.#wake();
  }
  async latest() {
    return this.all.at(-1)?.place ?? 0;
  }
  async read(range: PublishedRange) {
    if (this.isAway) throw new Error('away');
    this.reads.push(range);
    const { after, upTo = Number.POSITIVE_INFINITY, limit } = range;
    return this.all.filter(({ place }) => place > after && place <= upTo).slice(0, limit);
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

function setUp(most = 5_000) {
  const events = new FakeEvents();
  const tail = new ChangeTail({ events, logger: { warn: () => {} }, most, pollIntervalMs: 10 });
  return { events, tail };
}

interface FollowOptions
  extends Partial<FollowedEntity & Pick<FollowDependencies, 'heartbeatMs' | 'loadAccess' | 'visibleRows' | 'inTurn'>> {
  readonly take?: () => Promise<void>;
}

/** A client that is told numbers, and takes each text when it is let. */
function follow({ events, tail }: ReturnType<typeof setUp>, options: FollowOptions = {}) {
  const controller = new AbortController();
  const texts: string[] = [];
  const ended = followChanges(
    { entity, after: undefined, retryMs: 1, ...options },
    {
      model,
      tail,
      events,
      visibleRows: options.visibleRows ?? (async () => new Set()),
      inTurn: options.inTurn ?? inTurns(2),
      loadAccess: options.loadAccess ?? (async () => access),
      sealPlace: String,
      heartbeatMs: options.heartbeatMs ?? 60_000,
      told: { created: counter, updated: counter, deleted: counter, removed: counter },
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

test('all who follow share one reading of the events, which ends with the last of them', async () => {
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

test('nothing is kept for a slow client: what it missed comes from the database, all of it and once', async () => {
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

test('who resumes gets everything behind the place, from the database and on', async () => {
  const world = setUp();
  world.events.publish(1, 700);
  const client = follow(world, { after: 150 });
  await eventually(() => expect(client.numbers()).toEqual(range(151, 700)));
  world.events.publish(701, 702);
  await eventually(() => expect(client.numbers()).toEqual(range(151, 702)));
  await client.stop();
});

test('a database that is away for a while delays what is told, and loses nothing', async () => {
  const world = setUp();
  const client = follow(world);
  await eventually(() => expect(client.texts).toHaveLength(1));
  world.events.isAway = true;
  world.events.publish(1, 2);
  world.events.isAway = false;
  await eventually(() => expect(client.numbers()).toEqual([1, 2]));
  await client.stop();
});

test('who is told nothing hears of it all the same', async () => {
  const world = setUp();
  const client = follow(world, { heartbeatMs: 5 });
  await eventually(() => expect(client.texts.length).toBeGreaterThan(3));
  expect(client.texts.slice(1).every((text) => text === 'id: 0\n:\n\n')).toBe(true);
  await client.stop();
});

test('a client that takes nothing more ends its feed', async () => {
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

/** A line of one turn, which somebody has until it is given back. */
function takenLine() {
  const inTurn = inTurns(1);
  const taken = Promise.withResolvers<void>();
  const ended = inTurn(() => taken.promise, new AbortController().signal);
  let queued = 0;
  const counted: FollowDependencies['inTurn'] = (work, signal) => {
    queued += 1;
    return inTurn(work, signal);
  };
  const giveBack = async (): Promise<void> => {
    taken.resolve();
    await ended;
  };
  return { inTurn: counted, queued: () => queued, giveBack };
}

test('rights that end while the statement waits for its turn have ended', async () => {
  const world = setUp();
  const line = takenLine();
  let now: CallerAccess | undefined = limited;
  let asked = 0;
  const visibleRows: FollowDependencies['visibleRows'] = async (_entity, ids) => {
    asked += 1;
    return new Set(ids);
  };
  const client = follow(world, { inTurn: line.inTurn, loadAccess: async () => now, visibleRows });
  await eventually(() => expect(client.texts).toHaveLength(1));
  world.events.publish(1, 2);
  await eventually(() => expect(line.queued()).toBe(1));
  now = undefined;
  await line.giveBack();
  await client.ended;
  expect([client.numbers(), asked]).toEqual([[], 0]);
});

test('who leaves while it waits for its turn asks nothing', async () => {
  const world = setUp();
  const line = takenLine();
  let asked = 0;
  const visibleRows: FollowDependencies['visibleRows'] = async (_entity, ids) => {
    asked += 1;
    return new Set(ids);
  };
  const options = { inTurn: line.inTurn, loadAccess: async () => limited, visibleRows };
  const [leaving, staying] = [follow(world, options), follow(world, options)];
  await eventually(() => expect([leaving.texts.length, staying.texts.length]).toEqual([1, 1]));
  world.events.publish(1, 1);
  await eventually(() => expect(line.queued()).toBe(2));
  await expect(leaving.stop()).rejects.toThrow();
  await line.giveBack();
  await eventually(() => expect(staying.numbers()).toEqual([1]));
  expect([leaving.numbers(), asked]).toEqual([[], 1]);
  await staying.stop();
});

test('a statement ends with the client that it is for', async () => {
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

test('who needs no statement does not wait for those who do', async () => {
  const world = setUp();
  const line = takenLine();
  const client = follow(world, { inTurn: line.inTurn });
  await eventually(() => expect(client.texts).toHaveLength(1));
  world.events.publish(1, 2);
  await eventually(() => expect(client.numbers()).toEqual([1, 2]));
  await Promise.all([client.stop(), line.giveBack()]);
});
