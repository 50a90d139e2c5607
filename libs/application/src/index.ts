export { ExactNumber } from '@lintel/query';
export type { Application, ApplicationDefinition, Condition } from './application.ts';
export { applicationWarnings } from './checks/application-warnings.ts';
export { messageWarnings } from './checks/message-warnings.ts';
export { nearMisses } from './checks/near-misses.ts';
export * from './controllers/controller.ts';
export type { ApplicationData, DataManager, Instance, LoadOptions } from './data-manager.ts';
export { Decimal, type DecimalInput } from './decimal.ts';
export { assertDataParts, bindApplication, defineApplication } from './define-application.ts';
export type { DemoData } from './demo-data.ts';
export type { Deprecation } from './deprecation.ts';
export { conditionProblems, isEvent } from './events/check-events.ts';
export {
  type ChangeData,
  type EntityChanges,
  type EventContext,
  type EventHandler,
  type EventPublisher,
  event,
  type HandledEvent,
  type HandlerOptions,
  type OwnEvent,
  onEvent,
} from './events/event.ts';
export { loadFetchPlans } from './fetch-plans/load-fetch-plans.ts';
export {
  FetchPlanError,
  type FetchPlanSource,
  includedResources,
  parseFetchPlans,
} from './fetch-plans/parse-fetch-plans.ts';
export { ApplicationError } from './invalid-application.ts';
export {
  type EnqueueOptions,
  type JobAuthor,
  type JobContext,
  type JobDefinition,
  type JobLog,
  type JobOptions,
  type JobQueue,
  type JobRun,
  job,
} from './jobs/job.ts';
export { checkJson, type JsonViolation } from './json-schemas/check-json.ts';
export * from './listener.ts';
export { loadResources, type ResourceNames, type ResourceReader } from './load-resources.ts';
export {
  type MailAttachment,
  type MailDefinition,
  type MailOptions,
  type MailQueue,
  type MailTemplate,
  mail,
  type SendMailOptions,
} from './mails/mail.ts';
export { MAIL_ENTITIES } from './mails/mail-entities.ts';
export { hasReportDeliveries, REPORT_DELIVERY_ENTITIES, REPORT_DELIVERY_MAIL } from './mails/report-deliveries.ts';
export { checkMessages } from './messages/check-messages.ts';
export { loadMessages, withMessages } from './messages/load-messages.ts';
export { messageReader } from './messages/message-reader.ts';
export { MessageError, parseMessages } from './messages/parse-messages.ts';
export { defineMigration, type Migration } from './migration.ts';
export type {
  NotificationOptions,
  NotificationQueue,
  NotificationText,
} from './notifications/notification.ts';
export { IMPLICIT_QUERY } from './queries/bind-queries.ts';
export { loadQueries } from './queries/load-queries.ts';
export * from './queries/query-definition.ts';
export { DEFAULT_EXPRESSION } from './reports/default-expression.ts';
export * from './reports/report.ts';
export * from './reports/report-data-set.ts';
export * from './reports/report-parameter.ts';
export { AccessDeniedError, isApplicationError, RestError, ValidationError } from './services/application-error.ts';
export { loadServices } from './services/config/load-services.ts';
export {
  parseServicesConfig,
  ServicesConfigError,
  type ServicesSource,
} from './services/config/parse-services-config.ts';
export { isPrimitiveName, parseTypeName, typeNameOf } from './services/config/type-name.ts';
export type { EntitySerializer, SerializeOptions } from './services/entity-serializer.ts';
export { isRestService, RestMethod, RestService, serviceOf, Transactional } from './services/rest-service.ts';
export * from './services/service.ts';
export {
  type ComponentFunction,
  isServiceComponent,
  type ServiceComponent,
  serviceComponent,
} from './services/service-component.ts';
export type { FileTicket, FileTicketOptions, ServiceContext } from './services/service-context.ts';
export { isServiceUpstream, type ServiceUpstream, serviceUpstream } from './services/service-upstream.ts';
export {
  type EntityValue,
  type RecordMember,
  t,
  type ValueForm,
  type ValueOf,
  type ValuesOf,
  ValueType,
} from './services/value-type.ts';
export type { LoginClaims, LoginUser, OnLogin } from './sessions/on-login.ts';
export {
  assertDeclared,
  assertSessionAttribute,
  type CallerSession,
  type SessionAttributes,
  type SessionAttributeValue,
  type SessionDatatype,
} from './sessions/session-attributes.ts';
export { createUserAttributeReader, type UserAttributeReader } from './sessions/user-attributes.ts';
export { REPORT_DEFINITION_ENTITIES, REPORT_ENTITIES } from './stored-reports/report-entities.ts';
export {
  dataSetsIn,
  hasSql,
  readStoredDefinition,
  type StoredDefinition,
  StoredDefinitionError,
  sqlTextsOf,
  unknownReportMembers,
} from './stored-reports/stored-definition.ts';
export { type JsonVersion, jsonVersions, TransformationError } from './transformations/json-version.ts';
export { loadTransformations } from './transformations/load-transformations.ts';
export {
  parseTransformations,
  TransformationConfigError,
  type TransformationSource,
} from './transformations/parse-transformations.ts';
export type { JsonTransformer, Transformation } from './transformations/transformation.ts';
export { WEBHOOK_ENTITIES } from './webhooks/webhook-entities.ts';
