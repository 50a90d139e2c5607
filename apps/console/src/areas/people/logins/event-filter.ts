import { writeLocalTime } from '../../data/values/local-time.ts';
import { typesOf } from './event-types.ts';

/** Security events that a list shows, as the address of the page has it. */
export interface EventFilter {
  readonly user?: string | undefined;
  readonly client?: string | undefined;
  /** Code of a role; of a row-level role after `row_level_role:`. */
  readonly role?: string | undefined;
  /** A group of types, or one type. */
  readonly kind?: string | undefined;
  /** Local times, as inputs have them. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const NAMES = ['user', 'client', 'role', 'kind', 'from', 'to'] as const;

/** The filter in the address; a name of digits alone is read as a number. */
export const filterOf = (search: Readonly<Record<string, unknown>>): EventFilter =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
    }),
  );

/** The parameters of a request for the events; times are left out while they are incomplete. */
export function eventParameters({ user, client, role, kind, from, to }: EventFilter): Readonly<Record<string, string>> {
  const parameters = {
    ...{ username: user, clientId: client, role, type: typesOf(kind)?.join(',') },
    ...{ from: writeLocalTime(from ?? ''), to: writeLocalTime(to ?? '') },
  };
  return Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}
