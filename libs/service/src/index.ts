export { beginEarly } from './begin-early.ts';
export { type ClosingStack, createClosingStack } from './closing-stack.ts';
export { type Authentication, createAuthentication } from './create-authentication.ts';
export { runService } from './run-service.ts';
export type { ServiceContext } from './service-context.ts';
export { startProcessReports } from './start-process-reports.ts';
