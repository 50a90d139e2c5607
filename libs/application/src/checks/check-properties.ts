import { suggestion } from '@lintel/errors';
import { localeProblem } from '../messages/known-locale.ts';

/** Codes of the roles that properties may name. */
export interface KnownRoles {
  readonly resource: ReadonlySet<string>;
  readonly row: ReadonlySet<string>;
}

/** What is wrong in the defaults of properties that name other things than properties: one sentence each. */
export const checkProperties = (properties: Readonly<Record<string, string>>, roles: KnownRoles): readonly string[] =>
  Object.entries(properties).flatMap(([name, value]) =>
    itemsOf(value).flatMap((item) => {
      const problem = problemOf(normalForm(name), item, roles);
      return problem === undefined ? [] : [`properties, ${name}: ${problem}`];
    }),
  );

function problemOf(name: string, item: string, { resource, row }: KnownRoles): string | undefined {
  if (name === LOCALES) return localeProblem(item);
  if (!name.startsWith(CLIENTS)) return undefined;
  if (name.endsWith('resourceroles')) return roleProblem(item, resource, 'role');
  return name.endsWith('rowlevelroles') ? roleProblem(item, row, 'row-level role') : undefined;
}

const roleProblem = (code: string, known: ReadonlySet<string>, kind: string): string | undefined =>
  known.has(code) ? undefined : `there is no ${kind} ${code}${suggestion(code, known)}`;

/** The items of a list; a value with a placeholder is known only when the configuration is read. */
const itemsOf = (value: string): readonly string[] =>
  value.includes('${')
    ? []
    : value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');

/** Spellings of a property differ in case and separators (contract/decisions.md#40). */
const normalForm = (name: string): string => name.replace(/[._-]/g, '').toLowerCase();

const LOCALES = normalForm('svc.core.available-locales');
const CLIENTS = normalForm('svc.authserver.client.');
