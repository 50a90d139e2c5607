import type { NotificationText } from '@lintel/application';
import { type Envelope, type EventData, WORK_CLIENT_ID } from '@lintel/contracts';
import { addNotification, type StatementRunner } from '@lintel/persistence';
import type { DataPorts } from '../ports.ts';
import { timeOf } from '../schedules/next-run.ts';

/** The end of work that a user has begun. */
export interface EndedWork {
  /** Becomes the id of the notification: a user reads of an end once. */
  readonly id: string;
  readonly userId: string | null;
  readonly key: 'reportReady' | 'reportFailed' | 'callFailed' | 'deliveryFailed';
  readonly parameters: Readonly<Record<string, string>>;
  readonly link: {
    readonly type: 'entity' | 'report-run' | 'service-run';
    readonly entityName?: string;
    readonly id: string;
  };
}

/** Notifies a user of the end of work; nothing happens if the user does not exist any more. */
export async function notifyOfEnd(runner: StatementRunner, work: EndedWork, now: number): Promise<void> {
  const { id, userId, key, parameters, link } = work;
  if (userId === null) return;
  const title: NotificationText = { message: `lintel.notification.${key}`, parameters };
  await addNotification(runner, { id, to: { userId }, content: { title, link } }, timeOf(new Date(now)));
}

/** Notifies the user of a report that ran in the background; reports on a schedule are sent by mail. */
export async function notifyOfReport(
  { data }: Envelope,
  { database, loadSession, clock }: Pick<DataPorts, 'database' | 'loadSession' | 'clock'>,
): Promise<void> {
  const { runId: id, sessionId, reportName, status } = data as EventData<'reports.run.ended.v1'>;
  const session = await loadSession(sessionId);
  if (session?.kind !== 'user' || session.clientId === WORK_CLIENT_ID) return;
  const key = status === 'SUCCEEDED' ? 'reportReady' : 'reportFailed';
  const { userId } = session;
  const link = { type: 'report-run', id } as const;
  await notifyOfEnd(database, { id, userId, key, parameters: { report: reportName }, link }, clock.now());
}
