import {
  createMessages,
  DYNAMIC_ATTRIBUTE_ENTITIES,
  DYNAMIC_ATTRIBUTE_ENUMS,
  draftModel,
  type FetchPlan,
  MESSAGE_ENTITIES,
  type Messages,
  withFetchPlans,
} from '@lintel/metadata';
import { BUILT_IN_ROLES, SYSTEM_ENTITIES } from '@lintel/security';
import type { Application, ApplicationDefinition } from './application.ts';
import { checkDataParts, checkDefinition, checkRoleCodes } from './checks/check-definition.ts';
import { ApplicationError } from './invalid-application.ts';
import { invalidJsonSchemas } from './json-schemas/check-json.ts';
import { MAIL_ENTITIES } from './mails/mail-entities.ts';
import { hasReportDeliveries, REPORT_DELIVERY_ENTITIES } from './mails/report-deliveries.ts';
import { PLATFORM_BUNDLES } from './messages/platform/platform-bundles.ts';
import { codeServices } from './services/code-services.ts';
import { sessionAttributeProblems } from './sessions/session-attributes.ts';
import { userAttributeNameProblems, userAttributeProblems, withUserAttributes } from './sessions/user-attributes.ts';
import { REPORT_ENTITIES, REPORT_ENUMS } from './stored-reports/report-entities.ts';
import { WEBHOOK_ENTITIES } from './webhooks/webhook-entities.ts';

/**
 * Describes an application. The default export of the module that `svc.application` names.
 *
 * @throws ApplicationError naming every contradiction of all parts, the model included. Contradictions that are only in
 *   row-level policies, queries and demo data are errors of `loadResources`: most services do not use these parts
 */
export function defineApplication(definition: ApplicationDefinition): Application {
  return bindApplication(definition);
}

/**
 * The application with the named fetch plans that `parseFetchPlans` read from its resource files, once they are read.
 * With them the definition is that of an application, so that only the model and what refers to it is checked again.
 */
export function bindApplication(definition: ApplicationDefinition, fetchPlans?: readonly FetchPlan[]): Application {
  const roles = [...BUILT_IN_ROLES, ...(definition.roles ?? [])];
  const resourceRoles = new Map(roles.map((role) => [role.code, role]));
  const rowRoles = new Map((definition.rowLevelRoles ?? []).map((role) => [role.code, role]));
  const { model, problems } = draftModel({
    entities: [
      ...withUserAttributes(SYSTEM_ENTITIES, definition.userAttributes),
      ...DYNAMIC_ATTRIBUTE_ENTITIES,
      ...MESSAGE_ENTITIES,
      ...REPORT_ENTITIES,
      ...WEBHOOK_ENTITIES,
      ...((definition.mails ?? []).length > 0 ? MAIL_ENTITIES : []),
      ...(hasReportDeliveries(definition) ? REPORT_DELIVERY_ENTITIES : []),
      ...definition.entities,
    ],
    enums: [...DYNAMIC_ATTRIBUTE_ENUMS, ...REPORT_ENUMS, ...(definition.enums ?? [])],
    ...(fetchPlans !== undefined && { fetchPlans }),
    sessionAttributes: Object.keys(definition.sessionAttributes ?? {}),
    compositionVisibility: definition.compositionVisibility,
  });
  const services = codeServices(definition.services ?? [], model);
  const all = [
    ...userAttributeNameProblems(SYSTEM_ENTITIES, definition.userAttributes),
    ...sessionAttributeProblems(definition.sessionAttributes),
    ...(definition.onLogin !== undefined && definition.sessionAttributes === undefined
      ? ['onLogin: there are no sessionAttributes that it could set']
      : []),
    ...problems,
    ...(problems.length > 0 ? [] : userAttributeProblems(model, definition.userAttributes)),
    ...checkRoleCodes(roles, definition.rowLevelRoles ?? []),
    ...(fetchPlans === undefined ? checkDefinition(definition, model, { resourceRoles, rowRoles }) : []),
    ...invalidJsonSchemas(model),
    ...services.problems,
  ];
  if (all.length > 0) {
    const others = fetchPlans === undefined ? checkDataParts(definition, model, { resourceRoles, rowRoles }) : [];
    throw new ApplicationError([...all, ...others]);
  }
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

/**
 * Checks what `defineApplication` leaves to the services that use it: row-level policies, queries and demo data.
 *
 * @throws ApplicationError naming every contradiction
 */
export function assertDataParts(application: Application): void {
  const problems = checkDataParts(application, application.model, application);
  if (problems.length > 0) throw new ApplicationError(problems);
}

/**
 * The application with the named fetch plans of its resource files. Everything else is as `defineApplication` checked it.
 *
 * @throws ApplicationError if hints for user interfaces name plans that do not exist
 */
export function withNamedPlans(application: Application, fetchPlans: readonly FetchPlan[]): Application {
  const { model, problems } = withFetchPlans(application.model, fetchPlans);
  if (problems.length > 0) throw new ApplicationError(problems);
  return Object.freeze({ ...application, model });
}

/** An application that is bound again keeps the texts it has. */
const messagesOf = (definition: ApplicationDefinition & { readonly messages?: Messages }): Messages =>
  definition.messages ?? createMessages(PLATFORM_BUNDLES, []);
