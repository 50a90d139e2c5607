import type { ReportRunState } from '@lintel/client';

/** A run in the list of those of the user. */
export interface ListedRun extends ReportRunState {
  readonly id: string;
  readonly report: { readonly id: string; readonly code?: string; readonly name: string };
  readonly template: string;
}

/** Whether the state of a run is final. */
export const hasEnded = ({ status }: Pick<ListedRun, 'status'>): boolean => status !== 'QUEUED' && status !== 'RUNNING';
