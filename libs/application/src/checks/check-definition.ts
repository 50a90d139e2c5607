import { suggestion } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import {
  type ResourceRole,
  type RowLevelRole,
  resourceRoleProblems,
  rowLevelRoleProblems,
  userNameKey,
} from '@lintel/security';
import type { ApplicationDefinition } from '../application.ts';
import { eventProblems } from '../events/check-events.ts';
import { jobProblems } from '../jobs/check-jobs.ts';
import { mailProblems } from '../mails/check-mails.ts';
import { codeQueryProblems } from '../queries/bind-queries.ts';
import { checkDemoData, knownRoles } from './check-demo-data.ts';
import { checkProperties } from './check-properties.ts';

/** The roles of a definition, built-in ones included. */
export interface DefinedRoles {
  readonly resourceRoles: ReadonlyMap<string, ResourceRole>;
  readonly rowRoles: ReadonlyMap<string, RowLevelRole>;
}

/** What the parts that every service uses name that does not exist, and what contradicts the model: one sentence each. */
export function checkDefinition(
  definition: ApplicationDefinition,
  model: Model,
  roles: DefinedRoles,
): readonly string[] {
  return [
    ...(definition.roles ?? []).flatMap((role) => resourceRoleProblems(model, role)),
    ...(definition.listeners ?? []).flatMap(({ entity }, at) =>
      model.entities.has(entity)
        ? []
        : [`listeners[${at}] is of the unknown entity ${entity}${suggestion(entity, model.entities.keys())}`],
    ),
    ...jobProblems(definition.jobs ?? [], roles),
    ...eventProblems(definition, model, roles),
    ...mailProblems(definition.mails ?? []),
    ...propertyProblems(definition, roles),
  ];
}

/** Demo data is read only for roles that the definition does not have: it may be large. */
function propertyProblems(
  { properties = {}, demoData }: ApplicationDefinition,
  roles: DefinedRoles,
): readonly string[] {
  const problems = checkProperties(properties, knownRoles([], roles));
  return problems.length === 0 ? [] : checkProperties(properties, knownRoles(demoData?.instances ?? [], roles));
}

/** `checkDefinition` for the parts that only the data service uses, and whose check takes a noticeable time. */
export const checkDataParts = (
  definition: ApplicationDefinition,
  model: Model,
  roles: DefinedRoles,
): readonly string[] => [
  ...rowPolicyProblems(definition, model),
  ...codeQueryProblems(definition.queries ?? [], model),
  ...checkDemoData(definition.demoData, model, roles),
];

/** What is wrong in the row-level policies of the application: one sentence each. */
export const rowPolicyProblems = (
  { rowLevelRoles = [] }: Pick<ApplicationDefinition, 'rowLevelRoles'>,
  model: Model,
): readonly string[] => rowLevelRoles.flatMap((role) => rowLevelRoleProblems(model, role));

/** Codes that two roles have, in any case, or that end with blanks, and included roles that do not exist: one sentence each. */
export function checkRoleCodes(roles: readonly ResourceRole[], rowRoles: readonly RowLevelRole[]): readonly string[] {
  const codes = roles.map(({ code }) => code);
  return [
    ...codeProblems('resource', roles),
    ...codeProblems('row-level', rowRoles),
    ...roles.flatMap(({ code, childRoles }) =>
      childRoles
        .filter((child) => !codes.includes(child))
        .map((child) => `Role ${code} includes the unknown role ${child}${suggestion(child, codes)}`),
    ),
  ];
}

function codeProblems(kind: string, roles: readonly { readonly code: string }[]): readonly string[] {
  const codes = roles.map(({ code }) => code);
  const keys = codes.map(userNameKey);
  const repeated = new Set(codes.filter((_code, at) => keys.indexOf(keys[at] ?? '') !== at));
  return [
    ...[...repeated].map((code) => `Two ${kind} roles have the code ${code}, compared without case`),
    ...codes
      .filter((code) => code.trim() !== code)
      .map((code) => `The code '${code}' of a ${kind} role has blanks at its ends`),
  ];
}
