import { DEFAULT_EXPRESSION, type ReportCaller, type ReportParameter } from '@lintel/application';
import type { Principal } from '@lintel/contracts';

const USER = 'sec_User';

/** The time zone of the user, `timeZoneId`; that of the server where the user has none that exists. */
export function timeZoneOf({ attributes }: Pick<Principal, 'attributes'>): string {
  const zone = attributes['timeZoneId'];
  try {
    return new Intl.DateTimeFormat('en', typeof zone === 'string' ? { timeZone: zone } : {}).resolvedOptions().timeZone;
  } catch {
    return new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
  }
}

/** Why a parameter cannot have its `defaultExpression`; undefined if it can. */
export function expressionProblem(parameter: ReportParameter): string | undefined {
  const { type, entity, defaultExpression: expression, defaultFrom, defaultValue, defaultDateIsCurrent } = parameter;
  if (expression === undefined) return undefined;
  const [found, moment] = DEFAULT_EXPRESSION.exec(expression) ?? [];
  if (found === undefined) return `there is no default expression ${expression}`;
  if (defaultFrom !== undefined || defaultValue !== undefined || defaultDateIsCurrent !== undefined)
    return 'it has another default than its expression';
  const isPossible = isCurrentUser(parameter)
    ? type === 'TEXT' || (type === 'ENTITY' && entity === USER)
    : type === 'DATE' || type === 'DATETIME' || (type === 'TIME' && moment === 'now');
  return isPossible ? undefined : `${expression} is no default of ${type}`;
}

/** Whether the default of a parameter is the caller. */
export const isCurrentUser = ({ defaultExpression }: ReportParameter): boolean => defaultExpression === 'currentUser';

/** The filter that finds the instance of the caller. */
export const isCaller = ({ username }: ReportCaller) => ({
  conditions: [{ property: 'username', operator: '=', value: username }],
});

/**
 * The value of an expression at the time of the caller, as text of a DATE, TIME or DATETIME. Weeks begin on Monday
 * (ISO 8601); the end of a period is its last millisecond.
 */
export function momentText(
  expression: string,
  type: ReportParameter['type'],
  { now, timeZone }: Pick<ReportCaller, 'now' | 'timeZone'>,
): string {
  const [, moment, edge = 'start', unit = 'Day', offset = '0'] = DEFAULT_EXPRESSION.exec(expression) ?? [];
  // The parts of the local time, as if they were of UTC.
  const local = new Date(`${new Date(now).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`);
  const time = moment === 'now' ? local.getTime() - startOf('Day', local, 0) : 0;
  const at =
    edge === 'end' ? startOf(unit, local, Number(offset) + 1) - 1 : startOf(unit, local, Number(offset)) + time;
  const text = new Date(at).toISOString();
  if (type === 'DATE') return text.slice(0, 10);
  return text.slice(type === 'TIME' ? 11 : 0, -1).replace(/\.000$/, '');
}

/** The beginning of a period that is `later` units after that of `at`. */
function startOf(unit: string, at: Date, later: number): number {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (unit === 'Year') return Date.UTC(year + later, 0);
  if (unit === 'Quarter') return Date.UTC(year, (Math.floor(month / 3) + later) * 3);
  if (unit === 'Month') return Date.UTC(year, month + later);
  return unit === 'Week'
    ? Date.UTC(year, month, day - ((at.getUTCDay() + 6) % 7) + later * 7)
    : Date.UTC(year, month, day + later);
}
