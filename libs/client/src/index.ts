export {
  type AboutClient,
  type AttributeInfo,
  createAboutClient,
  type DetailedAttributeInfo,
  type DetailedEntityInfo,
  type DetailsOptions,
  type DynamicAttributeInfo,
  type EntityInfo,
  type EnumInfo,
  type FetchPlanInfo,
  type MessageClient,
  type Messages,
  type MetadataClient,
  type Permissions,
  type RuleInfo,
  type UserClient,
  type UserInfo,
} from './about/create-about-client.ts';
export {
  type CallClient,
  createCallClient,
  type QueryOptions,
  type ServiceOptions,
} from './calls/create-call-client.ts';
export { type Change, type FollowOptions, followChanges } from './changes/follow-changes.ts';
export type { CallOptions, ChangeOptions } from './connection/call.ts';
export {
  type ApiDescription,
  type Connection,
  type ConnectionOptions,
  createConnection,
} from './connection/create-connection.ts';
export type { Id, Paths } from './connection/paths.ts';
export { reasonHeader } from './connection/reason-header.ts';
export { type BackgroundRun, type FollowRunOptions, followRun } from './connection/result-of.ts';
export type { TokenSource } from './connection/token-source.ts';
export { type Client, createClient } from './create-client.ts';
export { createEntityClient } from './entities/create-entity-client.ts';
export type { EntityClient } from './entities/entity-client.ts';
export type {
  Aggregate,
  AggregateOptions,
  AggregateRow,
  AllOptions,
  CountOptions,
  FoundInstances,
  GroupBy,
  Highlights,
  ListOptions,
  Page,
  PageOptions,
  PatchOperation,
  ReadOptions,
  RemoveOptions,
  SearchOptions,
  UpdateOptions,
  UpsertOptions,
  UpsertStatus,
  WriteOptions,
} from './entities/entity-options.ts';
export { tagOf } from './entities/entity-tags.ts';
export { writePlan } from './entities/inline-plan.ts';
export { type MatchingChange, type MatchOptions, patchMatching, removeMatching } from './entities/write-matching.ts';
export { LintelError, NetworkError, TimeoutError } from './errors/lintel-error.ts';
export {
  ConflictError,
  type ErrorResponse,
  ForbiddenError,
  NotFoundError,
  RestError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
  type ValidationItem,
} from './errors/rest-error.ts';
export { createFileClient, type FileClient } from './files/create-file-client.ts';
export type { Download } from './files/download.ts';
export type { DownloadOptions } from './files/download-file.ts';
export type { FileContent, Progress } from './files/file-content.ts';
export type { StoredFile, UploadOptions } from './files/upload-file.ts';
export type {
  AnyCondition,
  AttributeCondition,
  Condition,
  ConditionGroup,
  MembersCondition,
  RelativeTime,
} from './filters/condition.ts';
export { type Filter, type Sort, writeFilter, writeSort } from './filters/criteria.ts';
export type { FetchPlan, InlinePlan, Shown } from './filters/fetch-plans.ts';
export { namesDynamic, sortsByDynamic } from './filters/names-dynamic.ts';
export type { Operators } from './filters/operators.ts';
export type { Path } from './filters/paths.ts';
export {
  type AccessEntry,
  type AccessLog,
  type AccessLogOptions,
  createHistoryClient,
  type EntityChange,
  type HistoryChange,
  type HistoryClient,
  type HistoryOptions,
  type InstanceChange,
  type UndoneInstance,
} from './history/create-history-client.ts';
export { type Rehearsal, type RehearsedChange, rehearse } from './history/rehearse.ts';
export type { NumberAttributes, NumberKinds } from './json/type-numbers.ts';
export type { ApiTypes, AttributeKind, CallTypes, EntityTypes, ObjectTypes, UntypedApi } from './model/api-types.ts';
export type { Decimal, Input, Long } from './model/input.ts';
export type { AbortSignalLike, BlobLike, FetchLike, ResponseLike } from './platform.ts';
export {
  createReportClient,
  type ReportClient,
  type ReportDraftKey,
  type ReportInfo,
  type ReportKey,
  type ReportVersionKey,
  type RunOptions,
} from './reports/create-report-client.ts';
export type { ReportRun, ReportRunState, WatchOptions } from './reports/report-run.ts';
export { type ExportOptions, exportFile } from './tables/export-file.ts';
export { type ImportOptions, type ImportReport, importFile } from './tables/import-file.ts';
export { createSession, type Session, type SessionOptions } from './tokens/create-session.ts';
export type { LoginOptions } from './tokens/login-flow.ts';
export { requestToken } from './tokens/request-token.ts';
export { type TicketOptions, ticketUrl } from './tokens/ticket-url.ts';
export { LoginError } from './tokens/token-endpoint.ts';
export { memoryStorage, type TokenStorage } from './tokens/token-storage.ts';
