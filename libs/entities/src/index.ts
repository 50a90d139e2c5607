export { ENDLESS, OpenLifetime } from './data-manager/call-lifetime.ts';
export type { ChangeSessionAttributes } from './data-manager/caller-session.ts';
export { callInTransaction, createApplicationData, rehearseCall } from './data-manager/create-application-data.ts';
export {
  type ApplicationCaller,
  type ContextDependencies,
  createContext,
  type FileTickets,
} from './data-manager/create-context.ts';
export { createListenerData } from './data-manager/create-listener-data.ts';
export { localizeFor } from './data-manager/localize-for.ts';
export { loadDemoData } from './demo/load-demo-data.ts';
export { createModelSource } from './dynamic-attributes/create-model-source.ts';
export { createIdSource } from './ids/create-id-source.ts';
export { parseJson } from './json/parse-json.ts';
export { assertMayUseBin } from './write/bin/assert-may-use-bin.ts';
export { restoreEntity } from './write/bin/restore-entity.ts';
export type { Affected } from './write/bulk/affected-rows.ts';
export { deleteAffected, patchAffected } from './write/bulk/bulk-entities.ts';
export { publishChanges } from './write/changes/publish-changes.ts';
export { entityFact, staleFactsOf } from './write/changes/stale-facts.ts';
export { deleteByKey } from './write/delete-by-key.ts';
export { deleteEntities, deleteEntity } from './write/delete-entities.ts';
export { hashRequest } from './write/idempotency/hash-request.ts';
export type { IdempotentCall } from './write/idempotency/idempotent-call.ts';
export { parseIdempotencyKey } from './write/idempotency/parse-idempotency-key.ts';
export { idempotentRequest, recall } from './write/idempotency/with-idempotency.ts';
export { LazyListenerContext } from './write/listeners/lazy-listener-context.ts';
export { type BrokenRule, itemOf, refusalBy } from './write/listeners/refusal-by.ts';
export { decodeBody } from './write/parse/parse-body.ts';
export { keyMemberOf, readKey } from './write/parse/parse-key.ts';
export { isSystemMember } from './write/parse/unknown-names.ts';
export type { ReturnPreference, WriteResponse } from './write/respond/write-response.ts';
export { createWriteDependencies } from './write/run/create-write-dependencies.ts';
export { currentWriteDependencies } from './write/run/current-write-dependencies.ts';
export { inOneTransaction } from './write/run/in-one-transaction.ts';
export { openScope } from './write/run/open-scope.ts';
export { createLocalize, localizeIn } from './write/scope/localize.ts';
export {
  CALL_JOB,
  hasLongCalls,
  hasRecords,
  MAIL_JOB,
  RECORDS_JOB,
  REPORT_DELIVERY_JOB,
} from './write/scope/platform-jobs.ts';
export { runIdOf } from './write/scope/scope-jobs.ts';
export type { QueuedMail } from './write/scope/scope-mails.ts';
export type { PasswordPolicy, WriteEnvironment } from './write/scope/write-scope.ts';
export { type UndoRequest, undoChange } from './write/undo/undo-change.ts';
export { type Duplicates, type UpsertRequest, upsertEntities } from './write/upsert-entities.ts';
export { checkRule, type Now, textOfRule } from './write/validate/check-rule.ts';
export type { Localize } from './write/values/messages.ts';
export type { WriteRequest } from './write/write-call.ts';
export type { WriteDependencies } from './write/write-dependencies.ts';
export { createEntities, patchEntities, updateEntities, updateEntity } from './write/write-entities.ts';
