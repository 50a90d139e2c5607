import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApplicationData,
  hasReportDeliveries,
  type JobDefinition,
  job,
  REPORT_DELIVERY_MAIL,
} from '@lintel/application';
import { workSessionResponseSchema } from '@lintel/contracts';
import { REPORT_DELIVERY_JOB, type WriteDependencies } from '@lintel/entities';
import { isPlatformError } from '@lintel/errors';
import type { ServiceClient } from '@lintel/http-client';
import { enqueueRun } from '@lintel/persistence';
import { z } from 'zod';
import { notifyOfEnd } from '../notifications/notify-of-run.ts';
import type { DataPorts } from '../ports.ts';
import { nextRunOf, timeOf } from '../schedules/next-run.ts';
import { recipientsOf } from './delivery-listeners.ts';
import { lockDue, planDelivery, readDelivery, recordDelivery, type StoredDelivery } from './delivery-store.ts';

/** The reports service, with the rights of the token of each call. */
export type ReportsServer = Pick<ServiceClient, 'sendJson'>;

interface DeliveryEngine {
  readonly ports: Pick<DataPorts, 'application' | 'database' | 'authAdministration' | 'clock' | 'ids' | 'reports'>;
  readonly write: WriteDependencies;
}

interface DueEngine {
  readonly ports: Pick<DataPorts, 'database' | 'clock' | 'ids'>;
  readonly write: WriteDependencies;
}

interface DeliveryArguments {
  readonly delivery?: string;
}

const RUNS = '/rest/reports';
const POLL_MS = 1_000;
/** A JWT for a user is valid for a minute. */
const RENEW_MS = 40_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const runSchema = z.object({
  id: z.string(),
  status: z.string(),
  error: z.object({ status: z.number(), error: z.string() }).optional(),
  result: z.object({ fileRef: z.string(), name: z.string() }).optional(),
});
type ReportRun = z.infer<typeof runSchema>;
const refusalSchema = z.object({ error: z.string() });

/** A report that was refused, or has failed. Its details may have values that only the owner may see. */
class ReportFailure extends Error {
  readonly isFinal: boolean;

  constructor(status: number, error: string) {
    super(`${status} ${error}`);
    this.isFinal = status < 500 && status !== 401 && status !== 429;
  }
}

/** The job of reports on a schedule, in applications that have the mail for them. */
export const deliveryJobs = (engine: DeliveryEngine): readonly JobDefinition[] =>
  hasReportDeliveries(engine.ports.application) ? [createDeliveryJob(engine)] : [];

const createDeliveryJob = (engine: DeliveryEngine): JobDefinition =>
  job<DeliveryArguments>(
    REPORT_DELIVERY_JOB.name,
    REPORT_DELIVERY_JOB.options,
    async ({ args, data, run, signal, log }) => {
      const { delivery: id } = args;
      if (id === undefined) return queueDue(engine);
      const { database, clock } = engine.ports;
      const delivery = await readDelivery(database, id);
      if (delivery === undefined) return;
      const end = (error: string | null) => recordDelivery(database, id, error, timeOf(new Date(clock.now())));
      try {
        await sendReport(delivery, run.id, await runReport(delivery, engine, signal), data);
      } catch (error) {
        await end(
          error instanceof ReportFailure ? error.message : isPlatformError(error) ? error.code : 'Server error',
        );
        // A user who is not active any more is an error of auth.
        const isFinal = error instanceof ReportFailure ? error.isFinal : isPlatformError(error) && error.status < 500;
        const parameters = { name: delivery.name };
        const link = { type: 'entity', entityName: 'sys_ReportDelivery', id } as const;
        const failure = { id: run.id, userId: delivery.ownerId, key: 'deliveryFailed', parameters, link } as const;
        if (isFinal || run.attempt > REPORT_DELIVERY_JOB.options.retries)
          await notifyOfEnd(database, failure, clock.now()).catch(() =>
            // Another attempt would run the report again.
            log.warn('The owner could not be notified of the failure'),
          );
        if (!isFinal) throw error;
        return;
      }
      await end(null);
    },
  );

/** Queues a run for each delivery that is due: one for all times that have passed. */
export async function queueDue({ ports, write }: DueEngine): Promise<void> {
  const { name, options } = REPORT_DELIVERY_JOB;
  const now = new Date(ports.clock.now());
  await ports.database.transaction(async (transaction) => {
    for (const { id, schedule, timeZone, owner } of await lockDue(transaction, timeOf(now))) {
      const next = await nextRunOf(schedule, timeZone, now);
      await planDelivery(transaction, id, next instanceof Date ? timeOf(next) : null);
      const json = JSON.stringify({ delivery: id } satisfies DeliveryArguments);
      const run = { id: ports.ids.next(), json, user: owner };
      await enqueueRun(transaction, { name, ...options }, run);
    }
  });
  write.environment.jobs?.wake(name);
}

/** Runs the report in the background, with the rights that its owner has now. */
async function runReport(delivery: StoredDelivery, { ports }: DeliveryEngine, signal: AbortSignal): Promise<ReportRun> {
  const { report, parameters, template, format, locale, owner, ownerId } = delivery;
  const { authAdministration, reports } = ports;
  if (reports === undefined) throw new Error('There is no reports service');
  let token: { readonly jwt: string; readonly at: number } | undefined;
  const send = async (path: string, options: object): Promise<ReportRun> => {
    if (token === undefined || performance.now() - token.at > RENEW_MS) {
      const begun = await authAdministration.call('work-sessions/begin', { username: owner, userId: ownerId ?? '' });
      token = { jwt: workSessionResponseSchema.parse(begun).jwt, at: performance.now() };
    }
    const { status, body } = await reports.sendJson(`${RUNS}${path}`, { ...options, token: token.jwt, signal });
    if (status >= 300) throw new ReportFailure(status, refusalSchema.safeParse(body).data?.error ?? 'Server error');
    return runSchema.parse(body);
  };
  let run = await send(`/run/${UUID.test(report) ? '' : 'code/'}${encodeURIComponent(report)}`, {
    method: 'POST',
    headers: { prefer: 'respond-async', ...(locale !== null && { 'accept-language': locale.replaceAll('_', '-') }) },
    json: { parameters, ...(template !== null && { template }), ...(format !== null && { outputType: format }) },
  });
  while (run.status === 'QUEUED' || run.status === 'RUNNING') {
    await sleep(POLL_MS, undefined, { signal });
    run = await send(`/runs/${run.id}`, {});
  }
  return run;
}

async function sendReport(
  { name, recipients, locale }: StoredDelivery,
  key: string,
  { result, error }: ReportRun,
  data: ApplicationData,
): Promise<void> {
  if (result === undefined) throw new ReportFailure(error?.status ?? 500, error?.error ?? 'The run was cancelled');
  await data.unconstrained().inTransaction(async (all) => {
    for (const to of recipientsOf(recipients))
      await all.mails.send(REPORT_DELIVERY_MAIL, {
        to,
        key: `${key} ${to}`,
        locale,
        data: { name, document: result.name },
        attachments: [{ name: result.name, fileRef: result.fileRef }],
      });
  });
}
