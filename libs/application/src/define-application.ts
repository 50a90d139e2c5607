import { StartError } from '@lintel/errors';
import {
  buildModel,
  createMessages,
  DYNAMIC_ATTRIBUTE_ENTITIES,
  DYNAMIC_ATTRIBUTE_ENUMS,
  type FetchPlan,
  MESSAGE_ENTITIES,
  type Messages,
} from '@lintel/metadata';
import { BUILT_IN_ROLES, SYSTEM_ENTITIES } from '@lintel/security';
import type { Application, ApplicationDefinition } from './application.ts';
import { PLATFORM_BUNDLES } from './messages/platform/platform-bundles.ts';
import { codeServices } from './services/code-services.ts';
import { sessionAttributeProblems } from './sessions/session-attributes.ts';
import { userAttributeNameProblems, userAttributeProblems, withUserAttributes } from './sessions/user-attributes.ts';
import { REPORT_ENTITIES, REPORT_ENUMS } from './stored-reports/report-entities.ts';
import { WEBHOOK_ENTITIES } from './webhooks/webhook-entities.ts';

/** An application whose parts contradict each other. */
export class ApplicationError extends StartError {
  constructor(problems: readonly string[]) {
    super(`The application is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ApplicationError';
  }
}

/**
 * Describes an application. The default export of the module that `svc.application` names.
 *
 * @throws ApplicationError or ModelError naming every contradiction
 */
export function defineApplication(definition: ApplicationDefinition): Application {
  return bindApplication(definition, []);
}

/** The application with the named fetch plans that `parseFetchPlans` read from its resource files. */
export function bindApplication(definition: ApplicationDefinition, fetchPlans: readonly FetchPlan[]): Application {
  const roles = [...BUILT_IN_ROLES, ...(definition.roles ?? [])];
  const resourceRoles = new Map(roles.map((role) => [role.code, role]));
  const rowRoles = new Map((definition.rowLevelRoles ?? []).map((role) => [role.code, role]));
  const problems: string[] = [];
  if (resourceRoles.size < roles.length) problems.push('Two resource roles have the same code');
  for (const role of roles) {
    for (const child of role.childRoles) {
      if (!resourceRoles.has(child)) problems.push(`Role ${role.code} includes the unknown role ${child}`);
    }
  }
  problems.push(
    ...userAttributeNameProblems(SYSTEM_ENTITIES, definition.userAttributes),
    ...sessionAttributeProblems(definition.sessionAttributes),
  );
  if (problems.length > 0) throw new ApplicationError(problems);
  const model = buildModel({
    entities: [
      ...withUserAttributes(SYSTEM_ENTITIES, definition.userAttributes),
      ...DYNAMIC_ATTRIBUTE_ENTITIES,
      ...MESSAGE_ENTITIES,
      ...REPORT_ENTITIES,
      ...WEBHOOK_ENTITIES,
      ...definition.entities,
    ],
    enums: [...DYNAMIC_ATTRIBUTE_ENUMS, ...REPORT_ENUMS, ...(definition.enums ?? [])],
    fetchPlans,
  });
  for (const role of roles) {
    for (const policy of role.policies) {
      if (policy.kind !== 'specific' && policy.entity !== '*' && !model.entities.has(policy.entity))
        problems.push(`Role ${role.code} names the unknown entity ${policy.entity}`);
    }
  }
  problems.push(...userAttributeProblems(model, definition.userAttributes));
  problems.push(...unknownAssignments(definition, { resourceRoles, rowRoles }));
  const services = codeServices(definition.services ?? [], model);
  problems.push(...services.problems);
  if (problems.length > 0) throw new ApplicationError(problems);
  return Object.freeze({
    ...definition,
    model,
    resourceRoles,
    rowRoles,
    restServices: services.byName,
    predefinedQueries: new Map(),
    modelVersions: new Map(),
    messages: messagesOf(definition),
  });
}

/** The demo data is loaded without listeners, so what they would refuse is refused here. */
function unknownAssignments(
  { demoData }: Pick<ApplicationDefinition, 'demoData'>,
  { resourceRoles, rowRoles }: Pick<Application, 'resourceRoles' | 'rowRoles'>,
): readonly string[] {
  const instances = demoData?.instances ?? [];
  const codesOf = (entity: string) =>
    instances.filter((each) => each.entity === entity).map(({ values }) => values['code']);
  const known: Readonly<Record<string, ReadonlySet<unknown>>> = {
    resource: new Set([...resourceRoles.keys(), ...codesOf('sec_ResourceRole')]),
    'row-level': new Set([...rowRoles.keys(), ...codesOf('sec_RowLevelRole')]),
  };
  return instances
    .filter(
      ({ entity, values }) =>
        entity === 'sec_RoleAssignment' && !known[String(values['roleType'])]?.has(values['roleCode']),
    )
    .map(
      ({ values }) =>
        `The demo data assigns the unknown ${String(values['roleType'])} role ${String(values['roleCode'])} to ${String(values['username'])}`,
    );
}

/** An application that is bound again keeps the texts it has. */
const messagesOf = (definition: ApplicationDefinition & { readonly messages?: Messages }): Messages =>
  definition.messages ?? createMessages(PLATFORM_BUNDLES, []);
