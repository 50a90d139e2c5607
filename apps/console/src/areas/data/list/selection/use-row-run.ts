import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { withOneReason } from '../../../../reason/ask-reason.ts';
import type { Row } from '../row.ts';
import { type RowProgress, type RowWrites, runOnRows } from './run-on-rows.ts';

/** Kinds of work on rows, which are the last parts of the keys of their texts. */
export type RowWork = 'change' | 'delete' | 'restore' | 'purge';

/** Work on rows: in progress, ended, or ended by an error or by the user. */
export interface RowRun {
  readonly work: RowWork;
  readonly progress: RowProgress;
  readonly state: 'running' | 'done' | 'cancelled';
  readonly error: unknown;
}

const NOTHING: RowProgress = { done: 0, refused: 0, refusals: [] };

/** Runs work on rows, one at a time; leaving the page ends it. */
export function useRowRun(entityName: string) {
  const queries = useQueryClient();
  const [run, setRun] = useState<RowRun>();
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const start = async (
    work: RowWork,
    rows: Iterable<Row> | AsyncIterable<Row>,
    writes: RowWrites,
  ): Promise<RowProgress> => {
    const controller = new AbortController();
    leaving.current = controller;
    const { signal } = controller;
    let progress = NOTHING;
    const show = (state: RowRun['state'], error?: unknown): void => setRun({ work, progress, state, error });
    show('running');
    try {
      const onProgress = (next: RowProgress): void => {
        progress = next;
        show('running');
      };
      await withOneReason(() => runOnRows(rows, writes, { signal, onProgress }));
      show(signal.aborted ? 'cancelled' : 'done');
    } catch (error) {
      show(signal.aborted ? 'cancelled' : 'done', error);
    }
    await queries.invalidateQueries({ queryKey: ['list', entityName] });
    await queries.invalidateQueries({ queryKey: ['instance', entityName] });
    return progress;
  };
  return { run, start, cancel: () => leaving.current?.abort() };
}
