import { setImmediate } from 'node:timers/promises';

const FIVE_FIELDS = /^\d{1,2}( \S+){4}$/;

/**
 * When a schedule is due next: `zone` for an unknown time zone, undefined for a schedule that cannot be read, that is
 * never due, or that is due more than once an hour.
 */
export async function nextRunOf(schedule: string, timeZone: string, from: Date): Promise<Date | 'zone' | undefined> {
  if (!isTimeZone(timeZone)) return 'zone';
  if (!FIVE_FIELDS.test(schedule)) return undefined;
  // A schedule that is due once in years takes milliseconds, and a request may have a thousand: others have turns.
  await setImmediate();
  // The module is large, and needed only where there are jobs.
  const { nextTimeOf } = await import('./next-time.ts');
  try {
    return nextTimeOf({ name: '', options: { as: '', schedule, timeZone } }, from);
  } catch {
    return undefined;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** In the form of the datatype `dateTime`. */
export const timeOf = (date: Date): string => date.toISOString().slice(0, -1);
