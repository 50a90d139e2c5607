import { ROLE_ENTITIES } from '@lintel/security';
import type { ChangeRecord } from '../scope/change-log.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { isReference, type Value, type Values } from '../values/value.ts';

/** What has changed in a role, for the security events. */
export interface RoleChange {
  /** Code of the role; of a row-level role after `row_level_role:`. */
  readonly role: string;
  readonly change: ChangeRecord['change'];
  /** What was added (`+ `) and removed (`- `), and the names of other changed attributes. */
  readonly lines: readonly string[];
}

const OF_ROLES: ReadonlySet<string> = new Set(ROLE_ENTITIES.map(({ name }) => name));
const ROW_LEVEL = ['sec_RowLevelRole', 'sec_RowLevelPolicy'];
/** The parts of roles and policies that lines have as they are. */
const SHOWN = ['code', 'scopes', 'childRoles'];
const MAX_LINES = 100;

/** The code of a role after the prefix that authorities have. */
export const roleNameOf = (code: unknown, isRowLevel: boolean): string =>
  `${isRowLevel ? 'row_level_role:' : ''}${String(code)}`;

/** The roles that a transaction has changed, with their policies; empty if it has changed none. */
export async function roleChangesOf(scope: WriteScope, records: readonly ChangeRecord[]): Promise<RoleChange[]> {
  const ofRoles = records.filter(({ entity }) => OF_ROLES.has(entity.name));
  const changes = new Map<string, { change: ChangeRecord['change']; lines: string[] }>();
  for (const record of ofRoles) {
    const isRowLevel = ROW_LEVEL.includes(record.entity.name);
    const isRole = record.entity.name.endsWith('Role');
    for (const values of isRole ? [record.after ?? record.before] : [record.before, record.after]) {
      if (values === undefined) continue;
      const code = isRole ? values.get('code') : await codeOf(scope, ofRoles, values, isRowLevel);
      const role = roleNameOf(code, isRowLevel);
      const known = changes.get(role) ?? { change: 'updated', lines: [] };
      changes.set(role, known);
      if (isRole) known.change = record.change;
      known.lines.push(
        ...(isRole ? linesOfRole(record) : [`${values === record.after ? '+' : '-'} ${policyOf(values)}`]),
      );
    }
  }
  return [...changes].map(([role, { change, lines }]) => ({ role, change, lines: lines.slice(0, MAX_LINES) }));
}

function linesOfRole({ before, after, attributes }: ChangeRecord): readonly string[] {
  const textsOf = (values: Values | undefined, name: string): readonly string[] =>
    [values?.get(name) ?? []].flat().map((value) => `${name} ${String(value)}`);
  const [former, next] = [before, after].map((values) => SHOWN.flatMap((name) => textsOf(values, name)));
  return [
    ...(former ?? []).filter((text) => !next?.includes(text)).map((text) => `- ${text}`),
    ...(next ?? []).filter((text) => !former?.includes(text)).map((text) => `+ ${text}`),
    ...[...attributes].filter((name) => !SHOWN.includes(name)),
  ];
}

/** Texts of conditions are not shown: they may have values of instances. */
const policyOf = (values: Values): string =>
  ['type', 'resource', 'entityName', 'action']
    .map((name) => values.get(name))
    .filter((value) => typeof value === 'string')
    .join(' ');

/** The code of the role of a policy: the role may be removed in the same transaction. */
async function codeOf(
  { transaction }: WriteScope,
  records: readonly ChangeRecord[],
  policy: Values,
  isRowLevel: boolean,
): Promise<Value | undefined> {
  const role = policy.get('role');
  const id = isReference(role) ? role.key[0] : undefined;
  const record = records.find(({ entity, key }) => entity.name.endsWith('Role') && key[0] === id);
  if (record !== undefined) return (record.after ?? record.before)?.get('code');
  const table = isRowLevel ? 'sec.row_level_role' : 'sec.resource_role';
  const text = `SELECT code FROM ${table} WHERE id = $1::uuid`;
  const [row] = await transaction.query<{ readonly code: string }>({ text, values: [id] });
  return row?.code;
}
