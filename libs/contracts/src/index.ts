export * from './api/index.ts';
export * from './events.ts';
export { EXPORT_TYPES } from './export-types.ts';
export { type FileReference, isStorageName, parseFileReference } from './file-reference.ts';
export * from './identity/acr.ts';
export * from './identity/actor.ts';
export * from './identity/auth-administration.ts';
export { type CallerKey, callerKeyOf, lastingKeyOf } from './identity/caller-key.ts';
export * from './identity/claims.ts';
export * from './identity/identity-providers.ts';
export { isOneAddress } from './identity/is-one-address.ts';
export * from './identity/password-requests.ts';
export * from './identity/second-factors.ts';
export * from './identity/security-events.ts';
export * from './identity/session.ts';
export * from './identity/user-sessions.ts';
export {
  IGNORED_HEADER,
  type IgnoredPart,
  ignoredPaths,
  ignoredText,
  MAX_IGNORED,
  MAX_IGNORED_LENGTH,
  type UnknownInside,
  withPart,
} from './ignored-members.ts';
export { type EventSchema, eventSchema, incompatibilities } from './incompatibilities.ts';
export * from './internal-api.ts';
export { isPlainText, isVisibleName } from './plain-text.ts';
export * from './process-report.ts';
export * from './report-content.ts';
export * from './report-draft.ts';
export { exceededXmlLimit, type XmlLimits } from './scanning/exceeded-xml-limit.ts';
export { scanJson } from './scanning/scan-json.ts';
export { xmlTokensOf } from './scanning/xml-tokens.ts';
export { createUrlGuard, createUrlMatcher } from './url-patterns.ts';
