import { type DataFixture, startData } from './data-fixture.ts';
import { shop } from './shop-application.ts';

/** How a writer names the state that it changes: by the version in the body, or by the entity tag of its read. */
export type Guard = 'version' | 'if-match';

/** Each guard, and the response to a writer whose state is out of date. */
export const GUARDS: readonly [Guard, string][] = [
  ['version', '400 Optimistic lock'],
  ['if-match', '412 Precondition failed'],
];

const WRITERS = 16;
const ROWS = 100;

interface Outcome {
  /** Number of responses by status and error. */
  readonly responses: Readonly<Record<string, number>>;
  /** Sum of the numbers of all rows at the end. */
  readonly sum: number;
  /** Number of updates of all rows, calculated from their versions. */
  readonly updates: number;
  /** Number of events in the outbox. */
  readonly events: number;
}

/** Starts a service with optimistic locking. */
export const startContended = (): Promise<DataFixture> =>
  startData(
    shop,
    { admin: { resourceRoles: ['system-full-access'] } },
    { 'svc.rest.optimistic-locking-enabled': 'true' },
  );

/** Asserts that concurrent writers lose no update, and that `refusal` is the only error that they get. */
export async function expectNothingLost(
  data: DataFixture,
  guard: Guard,
  refusal: string,
  durationMs: number,
): Promise<void> {
  const { responses, sum, updates, events } = await contend(data, guard, refusal, durationMs);
  const { '200': succeeded = 0, [refusal]: _refused, ...others } = responses;
  expect(others).toEqual({});
  expect([sum, updates, events]).toEqual([succeeded, succeeded, succeeded]);
  expect(data.errors).toEqual([]);
}

/**
 * Runs concurrent writers for some time, and on a slow machine until each could have written and one was refused: without
 * a conflict nothing is proved. Each reads a row, adds one to its number, and writes it back with the guard. If an update
 * is lost, the sum is below the number of successful updates.
 */
async function contend(data: DataFixture, guard: Guard, refusal: string, durationMs: number): Promise<Outcome> {
  await data.query('DELETE FROM t.everything');
  await data.query('DELETE FROM events.outbox');
  await data.query(
    `INSERT INTO t.everything (id, version, number) SELECT gen_random_uuid(), 1, 0 FROM generate_series(1, $1)`,
    [ROWS],
  );
  const ids = (await data.query<{ id: string }>('SELECT id FROM t.everything')).map(({ id }) => id);
  const responses: Record<string, number> = {};
  const endMs = performance.now() + durationMs;
  const isOver = (): boolean =>
    performance.now() >= endMs && (responses['200'] ?? 0) > WRITERS && (responses[refusal] ?? 0) > 0;
  const write = async (writer: number): Promise<void> => {
    for (let index = writer; !isOver(); index += 7) {
      const path = `/entities/t_Everything/${ids[index % ids.length]}`;
      const read = await data.send('admin', 'GET', path);
      const { number, version } = read.json() as { readonly number: number; readonly version: number };
      const tag = read.headers.get('etag') ?? '';
      const response =
        guard === 'version'
          ? await data.send('admin', 'PUT', path, { number: number + 1, version })
          : await data.send('admin', 'PUT', path, { number: number + 1 }, { 'if-match': tag });
      const name = response.status === 200 ? '200' : `${response.status} ${response.json().error}`;
      responses[name] = (responses[name] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  const [row] = await data.query<{ sum: number; updates: number }>(
    'SELECT sum(number)::int AS sum, sum(version - 1)::int AS updates FROM t.everything',
  );
  const [{ events } = { events: -1 }] = await data.query<{ events: number }>(
    'SELECT count(*)::int AS events FROM events.outbox',
  );
  return { responses: responses, sum: row?.sum ?? -1, updates: row?.updates ?? -1, events };
}
