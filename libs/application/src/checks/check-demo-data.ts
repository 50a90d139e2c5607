import { suggestion } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import type { DemoData } from '../demo-data.ts';
import type { DefinedRoles } from './check-definition.ts';
import { instanceProblems } from './instance-problems.ts';

/** The user of requests without a token: it needs no account. */
const ANONYMOUS = 'anonymous';

/**
 * What is wrong in the demo data: unknown entities and attributes, values of a wrong type, assignments of unknown roles
 * or to unknown users. Listeners of the platform, which refuse the latter in a request, do not run for demo data.
 */
export function checkDemoData(demoData: DemoData | undefined, model: Model, roles: DefinedRoles): readonly string[] {
  const instances = demoData?.instances ?? [];
  return [
    ...instances.flatMap(({ entity, values }, at) => {
      const where = `demoData.instances[${at}], ${entity}${nameOf(values)}`;
      const known = model.entities.get(entity);
      if (known === undefined)
        return [`${where}: there is no entity ${entity}${suggestion(entity, model.entities.keys())}`];
      if (known.kind !== 'entity') return [`${where}: instances of ${entity} are not stored`];
      return instanceProblems(model, known, values).map((problem) => `${where}: ${problem}`);
    }),
    ...assignmentProblems(instances, roles),
  ];
}

const nameOf = ({ id }: Readonly<Record<string, unknown>>): string =>
  typeof id === 'string' || typeof id === 'number' ? ` ${id}` : '';

const textsOf = (instances: DemoData['instances'], entity: string, member: string): readonly string[] =>
  instances
    .filter((each) => each.entity === entity)
    .flatMap(({ values }) => (typeof values[member] === 'string' ? [values[member]] : []));

/** Codes of the roles of the application and of those that the demo data brings. */
export const knownRoles = (
  instances: DemoData['instances'],
  { resourceRoles, rowRoles }: DefinedRoles,
): { readonly resource: ReadonlySet<string>; readonly row: ReadonlySet<string> } => ({
  resource: new Set([...resourceRoles.keys(), ...textsOf(instances, 'sec_ResourceRole', 'code')]),
  row: new Set([...rowRoles.keys(), ...textsOf(instances, 'sec_RowLevelRole', 'code')]),
});

function assignmentProblems(
  instances: DemoData['instances'],
  { resourceRoles, rowRoles }: DefinedRoles,
): readonly string[] {
  const { resource, row } = knownRoles(instances, { resourceRoles, rowRoles });
  const known: Readonly<Record<string, ReadonlySet<string>>> = { resource, 'row-level': row };
  const users = new Set([ANONYMOUS, ...textsOf(instances, 'sec_User', 'username')]);
  return instances
    .filter(({ entity }) => entity === 'sec_RoleAssignment')
    .flatMap(({ values }) => {
      const [type, code, user] = [values['roleType'], values['roleCode'], values['username']].map(String);
      const codes = known[type ?? ''];
      if (codes === undefined)
        return `The demo data assigns the role ${code} to ${user} as ${type}: roleType is resource or row-level`;
      return [
        ...(codes.has(code ?? '')
          ? []
          : [`The demo data assigns the unknown ${type} role ${code} to ${user}${suggestion(code ?? '', codes)}`]),
        ...(users.has(user ?? '')
          ? []
          : [`The demo data assigns the role ${code} to the unknown user ${user}${suggestion(user ?? '', users)}`]),
      ];
    });
}
