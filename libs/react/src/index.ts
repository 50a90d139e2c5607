export { type QueryRowsOptions, useQueryRows } from './calls/use-query-rows.ts';
export { useService } from './calls/use-service.ts';
export { type ChangesOptions, useChanges, useLiveEntity } from './changes/use-changes.ts';
export { changedValues, compareThreeWays, type Difference, isSame, type Values } from './entities/changed-values.ts';
export { idText, instanceKey, listsKey } from './entities/keys.ts';
export { type EntityPages, type EntityPagesOptions, useEntityPages } from './entities/use-entity-pages.ts';
export { type InstanceOptions, type ReadInstance, useInstance } from './entities/use-instance.ts';
export { type EditorOptions, type InstanceEditor, useInstanceEditor } from './entities/use-instance-editor.ts';
export { type FoundInstance, type Lookup, type LookupOptions, useLookup } from './entities/use-lookup.ts';
export { type ClassifiedError, classifyError, type ErrorKind } from './errors/classify-error.ts';
export { violationsOf } from './errors/violations-of.ts';
export { type LintelContext, LintelProvider, useClient, useModel, useRights } from './model/lintel-provider.ts';
export { type ApplicationModel, captionOf, loadModel } from './model/load-model.ts';
export { numberKindsOf } from './model/number-kinds.ts';
export { createRights, type Operation, type Rights } from './model/rights.ts';
export type {
  EntityName,
  MethodName,
  QueryName,
  Register,
  RegisteredApi,
  RegisteredClient,
  ServiceName,
} from './register.ts';
export { createLogin, type Login, type LoginOptions, type LoginState } from './session/create-login.ts';
export { LoginProvider, useLogin, useLoginEnds } from './session/login-provider.ts';
export { createTabStorage, type TabStorage, type TabWindow } from './session/tab-storage.ts';
