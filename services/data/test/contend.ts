import { type DataFixture, startData } from './data-fixture.ts';
import { shop } from './shop-application.ts';

/** How writers say which state they change: the version in the body, or the tag they read. */
export type Guard = 'version' | 'if-match';

/** Each guard, and what those are told who come too late. */
export const GUARDS: readonly [Guard, string][] = [
  ['version', '400 Optimistic lock'],
  ['if-match', '412 Precondition failed'],
];

const WRITERS = 16;
const ROWS = 100;

interface Outcome {
  /** Answers by status and error. */
  readonly answers: Readonly<Record<string, number>>;
  /** Of all rows at the end. */
  readonly sum: number;
  /** Updates that each row has seen, by its version. */
  readonly updates: number;
  /** Events of updates in the outbox. */
  readonly events: number;
}

/** A service that compares versions. */
export const startContended = (): Promise<DataFixture> =>
  startData(
    shop,
    { admin: { resourceRoles: ['system-full-access'] } },
    { 'svc.rest.optimistic-locking-enabled': 'true' },
  );

/** Expects of writers who meet that no update is lost, and that the slower ones get `refusal` and nothing else. */
export async function expectNothingLost(
  data: DataFixture,
  guard: Guard,
  refusal: string,
  durationMs: number,
): Promise<void> {
  const { answers, sum, updates, events } = await contend(data, guard, durationMs);
  const { '200': succeeded = 0, [refusal]: refused = 0, ...others } = answers;
  expect(others).toEqual({});
  // How many there are in the time depends on the machine.
  expect(succeeded).toBeGreaterThan(WRITERS);
  // Without any, the writers would not have met.
  expect(refused).toBeGreaterThan(0);
  expect([sum, updates, events]).toEqual([succeeded, succeeded, succeeded]);
  expect(data.errors).toEqual([]);
}

/**
 * Lets writers count rows up for some time: each reads a row, adds one to what it read, and writes it back under
 * the guard. If one update is lost, the sum is below the number of updates that were answered with success.
 */
async function contend(data: DataFixture, guard: Guard, durationMs: number): Promise<Outcome> {
  await data.query('DELETE FROM t.everything');
  await data.query('DELETE FROM events.outbox');
  await data.query(
    `INSERT INTO t.everything (id, version, number) SELECT gen_random_uuid(), 1, 0 FROM generate_series(1, $1)`,
    [ROWS],
  );
  const ids = (await data.query<{ id: string }>('SELECT id FROM t.everything')).map(({ id }) => id);
  const answers: Record<string, number> = {};
  const endMs = performance.now() + durationMs;
  const write = async (writer: number): Promise<void> => {
    for (let turn = writer; performance.now() < endMs; turn += 7) {
      const path = `/entities/t_Everything/${ids[turn % ids.length]}`;
      const read = await data.send('admin', 'GET', path);
      const { number, version } = read.json() as { readonly number: number; readonly version: number };
      const tag = read.headers.get('etag') ?? '';
      const answer =
        guard === 'version'
          ? await data.send('admin', 'PUT', path, { number: number + 1, version })
          : await data.send('admin', 'PUT', path, { number: number + 1 }, { 'if-match': tag });
      const name = answer.status === 200 ? '200' : `${answer.status} ${answer.json().error}`;
      answers[name] = (answers[name] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  const [row] = await data.query<{ sum: number; updates: number }>(
    'SELECT sum(number)::int AS sum, sum(version - 1)::int AS updates FROM t.everything',
  );
  const [{ events } = { events: -1 }] = await data.query<{ events: number }>(
    'SELECT count(*)::int AS events FROM events.outbox',
  );
  return { answers, sum: row?.sum ?? -1, updates: row?.updates ?? -1, events };
}
