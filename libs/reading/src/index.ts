export { createAccessSource } from './access/load-access.ts';
export { limitsOf, type RowRule, rowRulesOf, rulesAbout } from './access/row-rules.ts';
export { UNLIMITED_ACCESS } from './access/unlimited-access.ts';
export { type AccessLog, createAccessLog } from './access-log/create-access-log.ts';
export { hasAccessLog } from './access-log/disclosure.ts';
export { noteRead, readIn, unrecorded } from './access-log/note-read.ts';
export { entityTag } from './entity-tag.ts';
export { fileKeyOf, fileLockSql } from './files/file-key.ts';
export { type FileSearchDependencies, refersToFile, type UnreadableFiles } from './files/refers-to-file.ts';
export { assertAffordable } from './limits/assert-affordable.ts';
export { NO_REQUEST_LIMITS } from './limits/no-request-limits.ts';
export { requestLimitSettings } from './limits/request-limit-settings.ts';
export { createRequestLimits, type RequestLimits } from './limits/request-limits.ts';
export { withTimeBudget } from './limits/time-budget.ts';
export { countRequested } from './lists/count-list.ts';
export { executeList } from './lists/execute-list.ts';
export { type CursorCodec, createCursorCodec } from './paging/create-cursor-codec.ts';
export { cursorScope } from './paging/cursor-scope.ts';
export { nextLink } from './paging/next-link.ts';
export type { IdSource, ReplicaPorts } from './ports.ts';
export { type CountPreference, NO_PREFERENCES, type ReadPreferences } from './preferences.ts';
export { clientOptions } from './prepare/client-options.ts';
export type { ExportedTable } from './prepare/exported-table.ts';
export {
  bindRead,
  type Instance,
  type PreparedRead,
  prepareRead,
  type RowBatch,
  readBatches,
  readEach,
  readOne,
} from './prepare/prepared-read.ts';
export { membersOf, planOf, prepareReadBack, type ReadBackOptions, readBack } from './prepare/read-back.ts';
export { shapeRows } from './prepare/shape-rows.ts';
export {
  type CallerAccess,
  createReadDependencies,
  type ExportForm,
  type ExportFormat,
  exportDependencies,
  maskedAccess,
  type ReadDependencies,
  responseAccess,
} from './read-dependencies.ts';
export { type ReadResult, type ReceivedRead, readEntities } from './read-entities.ts';
export { createReplicaReads } from './replicas/create-replica-reads.ts';
export { createReadYourWrites, type ReadYourWrites } from './replicas/read-your-writes.ts';
export { createTokenCodec, type TokenCodec } from './security-token/create-token-codec.ts';
export { jsonScalar } from './serialize/json-value.ts';
export { canonicalOf } from './serialize/scalar-text.ts';
export { type EntityWriting, namedEntity, serializeEntity } from './serialize/serialize-entity.ts';
export { assertResponse } from './statements/assert-response.ts';
export { compileQuery } from './statements/compile-query.ts';
export { executeCount, executeRows, type JsonRow, streamRows } from './statements/execute-statement.ts';
export { type DatabaseCost, measuredDatabase, type ReadDatabase } from './statements/measured-database.ts';
