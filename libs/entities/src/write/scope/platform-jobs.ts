import { type Application, hasReportDeliveries, type JobDefinition } from '@lintel/application';

type PlatformJob = Omit<JobDefinition, 'handler'>;

/** The job that sends the mails; its retries take about ten hours. */
export const MAIL_JOB = {
  name: 'lintel.mail',
  options: { as: { resourceRoles: [] }, overlap: true, timeout: 120, retries: 20 },
} as const satisfies PlatformJob;

/**
 * The job of calls that continue without their client. One that failed may have had effects, and is not repeated; imports
 * continue where they were.
 */
export const CALL_JOB = {
  name: 'lintel.call',
  options: { as: { resourceRoles: [] }, overlap: true, timeout: 86_400, retries: 0 },
} as const satisfies PlatformJob;

/** The job that sends reports: each minute it queues a run of itself for each delivery that is due. */
export const REPORT_DELIVERY_JOB = {
  name: 'lintel.report-delivery',
  options: { as: { resourceRoles: [] }, schedule: '* * * * *', overlap: true, timeout: 3_600, retries: 5 },
} as const satisfies PlatformJob;

/** The job that keeps the records: it makes the partitions of the next months, and deletes what is past its retention. */
export const RECORDS_JOB = {
  name: 'lintel.records',
  options: { as: { resourceRoles: [] }, schedule: '17 3 * * *', timeout: 86_400, retries: 5 },
} as const satisfies PlatformJob;

/** Whether changes or reads of some entity are recorded. */
export const hasRecords = ({ model }: Pick<Application, 'model'>): boolean =>
  [...model.entities.values()].some(({ history, accessLog }) => (history ?? accessLog) !== undefined);

/** Whether calls of services, or undos of large changes, may continue without their clients; imports always may. */
export const hasLongCalls = ({ restServices, model }: Pick<Application, 'restServices' | 'model'>): boolean =>
  [...model.entities.values()].some(({ history }) => history !== undefined) ||
  [...restServices.values()].some(({ methods }) => methods.some(({ longRunning }) => longRunning === true));

/** The jobs of the platform that an application needs. */
export const platformJobs = (application: Pick<Application, 'mails' | 'model'>): readonly PlatformJob[] => [
  ...((application.mails ?? []).length > 0 ? [MAIL_JOB] : []),
  ...(hasReportDeliveries(application) ? [REPORT_DELIVERY_JOB] : []),
  CALL_JOB,
  ...(hasRecords(application) ? [RECORDS_JOB] : []),
];
