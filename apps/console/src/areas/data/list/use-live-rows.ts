import type { Change } from '@lintel/client';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useModel } from '../../../model/model-provider.tsx';
import { idSegment } from '../instance-path.ts';
import type { PathPlan } from '../paths/plan-of.ts';
import { valueAt } from '../paths/resolve-path.ts';
import { keyOfRow, type Row } from './row.ts';

/** Changes of the same moment are read together. */
const COLLECTED_MS = 200;
/** More rows are read by the next request for the list. */
const MAX_READ = 10;
/** The feed has the changes of this page, too. */
const OWN_CHANGE_MS = 3_000;

interface LiveOptions {
  readonly entityName: string;
  /** Those of the response; another response begins anew. */
  readonly rows: readonly Row[] | undefined;
  readonly paths: readonly string[];
  readonly plan: PathPlan;
  /** When the user has changed rows of this list, in milliseconds. */
  readonly changedAt: number;
}

interface Live {
  readonly of: readonly Row[] | undefined;
  readonly rows: ReadonlyMap<string, Row>;
  readonly changed: ReadonlyMap<string, ReadonlySet<string>>;
  readonly removed: ReadonlySet<string>;
  /** Rows that are new, gone, or not read again. */
  readonly pending: number;
}

const start = (of: readonly Row[] | undefined): Live => ({
  of,
  rows: new Map(),
  changed: new Map(),
  removed: new Set(),
  pending: 0,
});

/**
 * The rows with what others change meanwhile. No row moves: new values are shown in their cells, new and deleted rows
 * are counted until the list is read again. Where the user has no feed of changes, the rows stay as they are.
 */
export function useLiveRows({ entityName, rows, paths, plan, changedAt }: LiveOptions) {
  const { client } = useModel();
  const [stored, setStored] = useState<Live>(() => start(rows));
  const live = stored.of === rows ? stored : start(rows);
  const latest = useRef({ rows, paths, plan, changedAt });
  latest.current = { rows, paths, plan, changedAt };
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const update = (change: (live: Live) => Live): void =>
      setStored((before) => {
        const current = latest.current.rows;
        return change(before.of === current ? before : start(current));
      });
    const count = (ids: readonly string[]): void =>
      update((before) => ({ ...before, pending: before.pending + Math.max(1, ids.length) }));
    const follow = async (): Promise<void> => {
      const waiting = new Set<string>();
      const read = (): void => {
        const ids = [...waiting];
        waiting.clear();
        if (ids.length > MAX_READ) count(ids);
        else for (const id of ids) void readRow(id).catch(() => count([id]));
      };
      const readRow = async (id: string): Promise<void> => {
        const { rows: shown, plan: fetchPlan, paths: compared } = latest.current;
        const stale = shown?.find((row) => keyOfRow(row) === id);
        if (stale === undefined) return;
        const row = (await client.load(entityName, stale['id'] as string, { fetchPlan, signal })) as Row | undefined;
        if (row === undefined) update((before) => ({ ...before, removed: new Set([...before.removed, id]) }));
        else update((before) => withRow(before, id, stale, row, compared));
      };
      for await (const change of client.changes(entityName, { signal })) {
        if (Date.now() - latest.current.changedAt < OWN_CHANGE_MS) continue;
        const id = change.change === 'reset' ? undefined : idSegment(change.id);
        const isShown = latest.current.rows?.some((row) => keyOfRow(row) === id) === true;
        if (isUpdate(change)) {
          if (!isShown || id === undefined) continue;
          if (waiting.size === 0) setTimeout(read, COLLECTED_MS);
          waiting.add(id);
        } else {
          if (isShown && id !== undefined)
            update((before) => ({ ...before, removed: new Set([...before.removed, id]) }));
          count([]);
        }
      }
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) console.info('No feed of changes:', error);
    });
    return () => leaving.abort();
  }, [client, entityName]);
  const shown = useMemo(() => rows?.map((row) => live.rows.get(keyOfRow(row) ?? '') ?? row), [rows, live.rows]);
  return { rows: shown, changed: live.changed, removed: live.removed, pending: live.pending };
}

const isUpdate = ({ change }: Change): boolean => change === 'updated';

function withRow(live: Live, id: string, stale: Row, row: Row, paths: readonly string[]): Live {
  const known = live.rows.get(id) ?? stale;
  const changed = paths.filter((path) => JSON.stringify(valueAt(known, path)) !== JSON.stringify(valueAt(row, path)));
  const marked = new Set([...(live.changed.get(id) ?? []), ...changed]);
  return {
    ...live,
    rows: new Map([...live.rows, [id, row]]),
    changed: new Map([...live.changed, [id, marked]]),
  };
}
