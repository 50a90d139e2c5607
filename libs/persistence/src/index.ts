export { noteWork } from './accounts/note-work.ts';
export {
  type AssignedRoles,
  hasRoles,
  readAccount,
  readAssignedRoles,
  readRolesOf,
  type StoredAccount,
} from './accounts/read-account.ts';
export { createClient } from './address/create-client.ts';
export { urlOfDatabase } from './address/database-address.ts';
export { assertDatabase } from './connection/assert-database.ts';
export { connectEarly } from './connection/connect-early.ts';
export { createDatabase } from './connection/create-database.ts';
export { createSplitDatabase } from './connection/create-split-database.ts';
export type { DatabaseOptions } from './connection/database-options.ts';
export { COMMITTED_POSITION, GREATEST_POSITION, type LogPosition } from './connection/log-position.ts';
export { reachDatabase } from './connection/reach-database.ts';
export { createResultMemory, type ResultMemory } from './connection/results/result-memory.ts';
export { textsOf } from './connection/streams/joined-rows.ts';
export type {
  CopyForm,
  Database,
  JoinedRows,
  OutboxEvent,
  Statement,
  StatementDescription,
  StatementRunner,
  StreamOptions,
  Transaction,
  WriteTarget,
} from './database.ts';
export { DatabaseError, type DatabaseErrorDetails, databaseErrorDetailsOf } from './errors/database-error.ts';
export { failureReason } from './errors/failure-reason.ts';
export { isCollision, isIntegrityViolation } from './errors/is-collision.ts';
export { isPoolExhausted } from './errors/is-pool-exhausted.ts';
export { translateDatabaseError } from './errors/translate-database-error.ts';
export {
  createIdempotencyStore,
  type IdempotencyStore,
  type IdempotentRequest,
} from './idempotency/create-idempotency-store.ts';
export { isStorable, isStorableJson } from './is-storable.ts';
export { cancelRun, enqueueRun, storeJobQueue } from './jobs/enqueue-run.ts';
export { logMail, type MailState, pruneMails, readMailState, recordMail } from './mails/mail-log.ts';
export { firstRowOf, hasRows, rowsOf } from './named-statements.ts';
export {
  addNotification,
  listNotifications,
  pruneNotifications,
  readNotifications,
} from './notifications/notifications.ts';
export { slowStatements } from './observing/slow-statements.ts';
export {
  createExchangeStore,
  createReceivedEvents,
  EXCHANGE_READER,
  type ReceivedEvents,
} from './outbox/create-exchange-store.ts';
export {
  createHandlerStore,
  type HandlerDelivery,
  type HandlerSelection,
  type HandlerState,
  type HandlerStore,
} from './outbox/create-handler-store.ts';
export {
  createOutboxReplay,
  type OutboxReplay,
  type ReplayCount,
  type ReplaySelection,
} from './outbox/create-outbox-replay.ts';
export { createOutboxStore, type OutboxStoreEntry } from './outbox/create-outbox-store.ts';
export {
  createPublishedEvents,
  type PublishedEvent,
  type PublishedEvents,
  type PublishedRange,
} from './outbox/create-published-events.ts';
export { observeOutbox } from './outbox/observe-outbox.ts';
export { setReading, unreadAgeOf } from './outbox/set-reading.ts';
export { createReplicas, type ReadReplica, type ReplicaState, type Replicas } from './replicas/create-replicas.ts';
export { createLiveMessages } from './snapshots/create-live-messages.ts';
export { createLiveReports } from './snapshots/create-live-reports.ts';
export { createLiveRoles } from './snapshots/create-live-roles.ts';
export { createSavepoints, type Savepoints } from './typeorm/create-savepoints.ts';
export { type DataSource, openDataSource } from './typeorm/open-data-source.ts';
export type { OrmSession, OrmTransaction } from './typeorm/orm-session.ts';
export { utcText } from './utc-text.ts';
