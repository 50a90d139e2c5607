import type { ReportParameterType } from '@lintel/application';

const two = (number: number): string => String(number).padStart(2, '0');

/**
 * The current time as the value of a DATE, TIME or DATETIME parameter, in the server's time zone; null for other types.
 */
export function currentDateText(type: ReportParameterType, now: Date): string | null {
  const date = `${String(now.getFullYear()).padStart(4, '0')}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const time = `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`;
  switch (type) {
    case 'DATE':
      return date;
    case 'TIME':
      return time;
    case 'DATETIME':
      return `${date}T${time}`;
    default:
      return null;
  }
}
