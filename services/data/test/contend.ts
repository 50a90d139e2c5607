import type { DataFixture } from './data-fixture.ts';

/** How writers say which state they change: the version in the body, or the tag they read. */
export type Guard = 'version' | 'if-match';

export interface Contention {
  readonly writers: number;
  readonly rows: number;
  readonly durationMs: number;
  readonly guard: Guard;
}

export interface Outcome {
  /** Answers by status and error. */
  readonly answers: Readonly<Record<string, number>>;
  /** Of all rows at the end. */
  readonly sum: number;
  /** Updates that each row has seen, by its version. */
  readonly updates: number;
  /** Events of updates in the outbox. */
  readonly events: number;
}

/**
 * Lets writers count rows up for some time: each reads a row, adds one to what it read, and writes it back under
 * the guard. If one update is lost, the sum is below the number of updates that were answered with success.
 */
export async function contend(data: DataFixture, options: Contention): Promise<Outcome> {
  await data.query('DELETE FROM t.everything');
  await data.query('DELETE FROM events.outbox');
  await data.query(
    `INSERT INTO t.everything (id, version, number) SELECT gen_random_uuid(), 1, 0 FROM generate_series(1, $1)`,
    [options.rows],
  );
  const ids = (await data.query<{ id: string }>('SELECT id FROM t.everything')).map(({ id }) => id);
  const answers: Record<string, number> = {};
  const endMs = performance.now() + options.durationMs;
  const write = async (writer: number): Promise<void> => {
    for (let turn = writer; performance.now() < endMs; turn += 7) {
      const path = `/entities/t_Everything/${ids[turn % ids.length]}`;
      const read = await data.send('admin', 'GET', path);
      const { number, version } = read.json() as { readonly number: number; readonly version: number };
      const tag = read.headers.get('etag') ?? '';
      const answer =
        options.guard === 'version'
          ? await data.send('admin', 'PUT', path, { number: number + 1, version })
          : await data.send('admin', 'PUT', path, { number: number + 1 }, { 'if-match': tag });
      const name = answer.status === 200 ? '200' : `${answer.status} ${answer.json().error}`;
      answers[name] = (answers[name] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: options.writers }, (_, writer) => write(writer)));
  const [row] = await data.query<{ sum: number; updates: number }>(
    'SELECT sum(number)::int AS sum, sum(version - 1)::int AS updates FROM t.everything',
  );
  const [{ events } = { events: -1 }] = await data.query<{ events: number }>(
    'SELECT count(*)::int AS events FROM events.outbox',
  );
  return { answers, sum: row?.sum ?? -1, updates: row?.updates ?? -1, events };
}
