export type { ProviderOptions, ResourceOptions, Resources } from '../records/record-model.ts';
export { type AuditLog, type AuditLogParams, createAuditLogProvider } from './create-audit-log-provider.ts';
export {
  type AuthProviderOptions,
  type AuthResult,
  type CanParams,
  createAccessControlProvider,
  createAuthProvider,
  type LintelRefineAuthProvider,
} from './create-auth-provider.ts';
export { createDataProvider } from './create-data-provider.ts';
export { createLiveProvider, type LiveEvent, type SubscribeParams } from './create-live-provider.ts';
export type { LintelRefineProvider, RefineListParams } from './data-provider.ts';
export type { RefineFilter } from './filter-of.ts';
