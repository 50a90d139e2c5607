export { type QueryRowsOptions, useQueryRows } from './calls/use-query-rows.ts';
export { useService } from './calls/use-service.ts';
export { type ChangesOptions, useChanges } from './changes/use-changes.ts';
export { compareThreeWays, type Difference, type Step } from './draft/compare.ts';
export { defaultsOf } from './draft/defaults.ts';
export { entityOfValue, kindOf, type Schema, type ValueKind } from './draft/schema.ts';
export {
  createLine,
  isNewLine,
  isObject,
  joinPath,
  keptLines,
  keyOfLine,
  type Line,
  linesOf,
  type Values,
} from './draft/values.ts';
export { withoutPath } from './draft/violation-paths.ts';
export { idSegment, instanceKey, listsKey } from './entities/keys.ts';
export { type UseAggregateOptions, useAggregate } from './entities/use-aggregate.ts';
export type { StoredInstance } from './entities/use-draft.ts';
export { type EntityPages, type EntityPagesOptions, useEntityPages } from './entities/use-entity-pages.ts';
export { type InstanceOptions, type ReadInstance, useInstance } from './entities/use-instance.ts';
export { type EditorOptions, type InstanceEditor, useInstanceEditor } from './entities/use-instance-editor.ts';
export { useLiveEntity } from './entities/use-live-entity.ts';
export { type LiveItems, type LiveItemsOptions, useLiveItems } from './entities/use-live-items.ts';
export { type ClassifiedError, classifyError, type ErrorKind } from './errors/classify-error.ts';
export { violationsOf } from './errors/violations-of.ts';
export { type HistoryPermission, mayUse, rootName } from './history/history-rights.ts';
export { historyKey, type ReadHistory, type UseHistoryOptions, useHistory } from './history/use-history.ts';
export {
  createTrace,
  type FormerState,
  type HistoryWrites,
  type TracedWrite,
  useHistoryWrites,
} from './history/use-history-writes.ts';
export { conditionsOfWords, queryOfWords, searchNamesOf } from './lookup/search-names.ts';
export { type FoundInstance, type Lookup, type LookupOptions, useLookup } from './lookup/use-lookup.ts';
export { AUTOMATIC_ATTRIBUTES } from './model/automatic-attributes.ts';
export { type LintelContext, LintelProvider, useClient, useModel, useRights } from './model/lintel-provider.ts';
export { type ApplicationModel, captionOf, loadModel } from './model/load-model.ts';
export { numberKindsOf } from './model/number-kinds.ts';
export { NUMBER_TYPES } from './model/number-types.ts';
export { createRights, type Operation, type Rights } from './model/rights.ts';
export {
  isToMany,
  isVisible,
  type PathModel,
  type ResolvedPath,
  resolvePath,
  targetOf,
  valueAt,
} from './paths/resolve-path.ts';
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
