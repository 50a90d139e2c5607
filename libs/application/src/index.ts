export { ExactNumber } from '@lintel/query';
export type { Application, ApplicationDefinition, Condition } from './application.ts';
export * from './controller.ts';
export type { DataManager, LoadOptions } from './data-manager.ts';
export { ApplicationError, bindApplication, defineApplication } from './define-application.ts';
export type { DemoData } from './demo-data.ts';
export { loadFetchPlans } from './fetch-plans/load-fetch-plans.ts';
export {
  FetchPlanError,
  type FetchPlanSource,
  includedResources,
  parseFetchPlans,
} from './fetch-plans/parse-fetch-plans.ts';
export * from './listener.ts';
export { checkMessages } from './messages/check-messages.ts';
export { loadMessages, withMessages } from './messages/load-messages.ts';
export { MessageError, parseMessages } from './messages/parse-messages.ts';
export { defineMigration, type Migration } from './migration.ts';
export * from './report.ts';
export * from './service.ts';
