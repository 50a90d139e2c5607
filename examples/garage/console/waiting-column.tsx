import type { ConsoleHost, ExtensionColumn } from '@lintel/react/console';
import { daysSince } from './days-since.ts';

const LATE_DAYS = 3;

/** How long a job has been waiting; bold if it is too long. */
export const createWaitingColumn = ({ React }: ConsoleHost): ExtensionColumn => ({
  entity: 'garage_Job',
  name: 'waiting',
  title: { en: 'Waiting', de: 'Wartet' },
  fetchPlan: { status: true, receivedAt: true },
  component({ row }) {
    if (row['status'] === 'DONE' || row['status'] === 'INVOICED') return null;
    const days = daysSince(row['receivedAt']);
    return days >= LATE_DAYS ? <strong>{days} d</strong> : <span>{days} d</span>;
  },
});
