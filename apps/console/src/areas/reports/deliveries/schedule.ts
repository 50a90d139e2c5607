/** A schedule that can be said in words; another one is a cron expression. */
export interface Schedule {
  readonly kind: 'daily' | 'workdays' | 'weekly' | 'monthly' | 'other';
  /** `06:30` */
  readonly time: string;
  /** Day of the week (0 is Sunday) or of the month. */
  readonly day: number;
  /** The cron expression of another schedule. */
  readonly cron: string;
}

/** The months have at least so many days. */
export const LAST_DAY = 28;
const CRON = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|1-5|[0-6])$/;

/** Reads a cron expression of five fields. */
export function scheduleOf(cron: string): Schedule {
  const [, minute = '0', hour = '6', ofMonth = '*', ofWeek = '*'] = CRON.exec(cron) ?? [];
  const kind =
    ofMonth === '*'
      ? ofWeek === '*'
        ? 'daily'
        : ofWeek === '1-5'
          ? 'workdays'
          : 'weekly'
      : ofWeek === '*' && Number(ofMonth) <= LAST_DAY
        ? 'monthly'
        : 'other';
  const day = kind === 'monthly' ? Number(ofMonth) : kind === 'weekly' ? Number(ofWeek) : 1;
  return {
    kind: CRON.test(cron) ? kind : 'other',
    time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`,
    day,
    cron,
  };
}

/** The cron expression of a schedule. */
export function cronOf({ kind, time, day, cron }: Schedule): string {
  const [hour, minute] = time.split(':').map(Number);
  const days = { daily: '* * *', workdays: '* * 1-5', weekly: `* * ${day}`, monthly: `${day} * *` };
  return kind === 'other' ? cron : `${minute} ${hour} ${days[kind]}`;
}

/** The name of a day of the week; 0 is Sunday. */
export const weekdayOf = (day: number, locale: string): string =>
  // The fourth of January 1970 was a Sunday.
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format((3 + day) * 86_400_000);
