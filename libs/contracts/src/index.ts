export * from './acr.ts';
export * from './api/index.ts';
export * from './auth-administration.ts';
export * from './claims.ts';
export * from './events.ts';
export { type FileReference, isStorageName, parseFileReference } from './file-reference.ts';
export * from './identity-providers.ts';
export {
  IGNORED_HEADER,
  ignoredPaths,
  ignoredText,
  MAX_IGNORED,
  MAX_IGNORED_LENGTH,
  type UnknownInside,
} from './ignored-members.ts';
export * from './internal-api.ts';
export * from './password-requests.ts';
export type { ProcessCheck, ProcessReport, ProcessSetting, SlowStatement } from './process-report.ts';
export * from './report-content.ts';
export * from './second-factors.ts';
export * from './security-events.ts';
export * from './session.ts';
export { createUrlGuard, createUrlMatcher } from './url-patterns.ts';
export * from './user-sessions.ts';
