import type { ReportInfo } from '@lintel/client';
import { useQuery } from '@tanstack/react-query';
import { useClient, type useLanguage } from '../../../context.ts';
import { scheduleOf, weekdayOf } from './schedule.ts';

export const DELIVERY = 'sys_ReportDelivery';

/** A report on a schedule, as it is stored. */
export interface Delivery {
  readonly id: string;
  readonly name: string;
  readonly report: string;
  readonly parameters?: readonly { readonly name: string; readonly value?: unknown }[] | null;
  readonly template?: string | null;
  readonly format?: string | null;
  readonly recipients: string;
  readonly locale?: string | null;
  readonly schedule: string;
  readonly timeZone: string;
  readonly active: boolean;
  readonly owner: string;
  /** In UTC. */
  readonly nextRun?: string | null;
  readonly lastSent?: string | null;
  readonly lastError?: string | null;
}

/** The schedule in words, with its time zone. */
export function scheduleText(
  { schedule, timeZone }: Delivery,
  { text, locale }: ReturnType<typeof useLanguage>,
): string {
  const { kind, time, day, cron } = scheduleOf(schedule);
  const weekday = weekdayOf(day, locale);
  return `${text(`delivery.on.${kind}`, { time, day: String(day), weekday, cron })} (${timeZone})`;
}

/** The reports that the user may run. */
export function useReports() {
  const client = useClient();
  return useQuery({ queryKey: ['reports'], queryFn: ({ signal }) => client.reports.list({ signal }) });
}

/** The report of a delivery, by its code or id. */
export const reportOf = (reports: readonly ReportInfo[], key: string): ReportInfo | undefined =>
  reports.find(({ id, code }) => code === key || id === key);
