import type { JobDefinition } from '@lintel/application';
import type { PgBoss } from 'pg-boss';
import type { TakenRun } from './run-job.ts';

/** Looking for other runs than those that would come first reads all that wait: not more often than this. */
const LOOK_MS = 1_000;
/** Users whose runs are left out while runs of others are looked for. */
const MAX_SERVED = 200;

/** Claims the next runs, at most `size`, where `running` are the ones that this process runs now; or says when to ask. */
export type FetchRuns = (
  size: number,
  running: readonly TakenRun[],
) => Promise<{ readonly runs: readonly TakenRun[]; readonly againAfterMs?: number }>;

/**
 * Users have their turns: runs of users that had none since all had one come first, then runs in their order; and the
 * runs of one user are all that run at the same time but one. Runs of a schedule have no user.
 *
 * @param parallel runs of the job that this process may run at the same time
 */
export function createFairFetch(boss: Pick<PgBoss, 'fetch'>, { name, options }: JobDefinition, parallel: number) {
  const served = new Set<string>();
  let fairAt = 0;
  let searchAt = 0;
  const fetchOf = async (batchSize: number, without: readonly string[]) => {
    const runs = await boss.fetch<TakenRun['data']>(name, { batchSize, ignoreGroups: [...without] });
    for (const { groupId } of runs) {
      if (!groupId || served.has(groupId)) continue;
      // Further users could not be left out, and would come before these for ever.
      if (served.size === MAX_SERVED) served.clear();
      served.add(groupId);
    }
    return runs;
  };
  const fetchRuns: FetchRuns = async (size, running) => {
    const now = performance.now();
    const users = running.flatMap(({ groupId }) => groupId ?? []);
    const busy = users.filter((user) => users.filter((other) => other === user).length >= parallel - 1);
    const isSearch = busy.length > 0 || (options.overlap === 'groups' && running.length > 0);
    if (isSearch && now < searchAt) return { runs: [], againAfterMs: searchAt - now };
    if (served.size > 0 && now >= fairAt) {
      const runs = await fetchOf(size, [...busy, ...served]);
      if (runs.length > 0) return { runs };
      served.clear();
      fairAt = now + LOOK_MS;
    }
    const runs = await fetchOf(size, busy);
    if (isSearch && runs.length === 0) searchAt = now + LOOK_MS;
    return { runs };
  };
  return fetchRuns;
}
