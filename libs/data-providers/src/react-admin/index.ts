export type { ProviderOptions, ResourceOptions, Resources } from '../records/record-model.ts';
export { type AuthProviderOptions, createAuthProvider, type LintelAuthProvider } from './create-auth-provider.ts';
export { createDataProvider, type DataProviderOptions } from './create-data-provider.ts';
export type { LintelDataProvider, ListParams, ListResult, Signalled } from './data-provider.ts';
export { idsOf, referencesOf } from './references.ts';
