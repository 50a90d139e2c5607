export { beginEarly } from './begin-early.ts';
export { type Closable, type ClosingStack, createClosingStack } from './closing-stack.ts';
export { type Authentication, type AuthenticationOptions, createAuthentication } from './create-authentication.ts';
export { runService, type ServiceDefinition, type StartedService } from './run-service.ts';
export type { ServiceContext } from './service-context.ts';
export { type ProcessReports, type ProcessReportsOptions, startProcessReports } from './start-process-reports.ts';
