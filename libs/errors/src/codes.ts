/**
 * The closed list of error codes. The table alone decides the HTTP status, the `error` member of the
 * wire body and whether a caller may retry. `docs/reference/errors.md` lists the same codes; a test
 * compares the two.
 *
 * Sources of the texts: contract/errors.md#catalogue, contract/reports.md#check-order, contract/files.md#files.
 */
export interface ErrorCodeEntry {
  /** HTTP status of the response. */
  readonly status: number;
  /** The `error` member of the body. */
  readonly error: string;
  /** Whether the same request may succeed later without a change. */
  readonly retryable: boolean;
}

const entry = (status: number, error: string, retryable = false): ErrorCodeEntry => ({
  status,
  error,
  retryable,
});

/** All error codes of the platform, with the HTTP status of each (docs/reference/errors.md). */
export const ERROR_CODES = {
  AUTH_UNAUTHORIZED: entry(401, 'unauthorized'),
  AUTH_INVALID_TOKEN: entry(401, 'invalid_token'),
  AUTH_STEP_UP_REQUIRED: entry(401, 'insufficient_user_authentication'),
  AUTH_UNAVAILABLE: entry(503, 'Service unavailable', true),

  REQ_INVALID_PARAMETER: entry(400, 'Invalid parameter value'),
  REQ_UNKNOWN_MEMBER: entry(400, 'Unknown parameter or member'),
  REQ_WITHOUT_EFFECT: entry(400, 'Part of the request has no effect'),
  REQ_REASON_REQUIRED: entry(400, 'Reason required'),
  REQ_MALFORMED_JSON: entry(400, 'Malformed request JSON data structure'),
  REQ_TOO_SLOW: entry(408, 'Request Timeout', true),
  REQ_BODY_TOO_LARGE: entry(413, 'Payload too large'),
  REQ_HEADERS_TOO_LARGE: entry(431, 'Request header fields too large'),
  REQ_URL_TOO_LONG: entry(414, 'URI too long'),
  REQ_NOT_FOUND: entry(404, 'Not found'),
  REQ_METHOD_NOT_ALLOWED: entry(405, 'Method not allowed'),
  REQ_NOT_ACCEPTABLE: entry(406, 'Not acceptable'),
  REQ_UNSUPPORTED_MEDIA_TYPE: entry(415, 'Unsupported media type'),
  REQ_PRECONDITION_FAILED: entry(412, 'Precondition failed'),
  REQ_RANGE_NOT_SATISFIABLE: entry(416, 'Range not satisfiable'),
  REQ_EXPECTATION_FAILED: entry(417, 'Expectation failed'),
  REQ_TOO_MANY_REQUESTS: entry(429, 'Too many requests', true),
  REQ_OVERLOADED: entry(503, 'Service unavailable', true),
  REQ_LIMIT_EXCEEDED: entry(400, 'The value of limit exceeded'),
  REQ_COST_EXCEEDED: entry(400, 'Request limit exceeded'),
  REQ_INVALID_ENTITY_ID: entry(400, 'Invalid entity ID'),
  REQ_INVALID_FILTER: entry(400, 'Cannot parse entities filter'),
  REQ_INVALID_SORT: entry(400, 'Invalid sort'),
  REQ_INVALID_CURSOR: entry(400, 'Invalid cursor'),
  REQ_INVALID_FETCH_PLAN: entry(400, 'Invalid FetchPlan definition'),
  REQ_FETCH_PLAN_NOT_FOUND: entry(400, 'Fetch plan not found'),
  REQ_INLINE_FETCH_PLANS_DISABLED: entry(400, 'Inline fetch plans are disabled'),
  REQ_QUERY_PARAMETER_NOT_FOUND: entry(400, 'Query parameter not found'),
  REQ_QUERY_FAILED: entry(400, 'Error on executing the query'),
  REQ_CANNOT_DESERIALIZE: entry(400, 'Cannot deserialize an entity from JSON'),
  REQ_INVALID_PATCH: entry(400, 'Invalid patch'),
  REQ_BULK_UPDATE_NOT_ARRAY: entry(400, 'The body of bulk update request should be an array'),
  REQ_BULK_DELETE_NOT_ARRAY: entry(400, 'The body of bulk delete request should be an array'),
  REQ_ID_REQUIRED: entry(400, 'Required attribute id is not presented'),
  REQ_INVALID_IDEMPOTENCY_KEY: entry(400, 'Invalid idempotency key'),
  REQ_IDEMPOTENCY_KEY_REUSED: entry(422, 'Idempotency key reused'),
  REQ_IN_PROGRESS: entry(409, 'Request in progress', true),
  REQ_TRANSFORMATION_FAILED: entry(400, 'JSON transformation failed'),
  REQ_SERVICE_METHOD_AMBIGUOUS: entry(400, 'Cannot determine the service method to call'),
  REQ_LOCALE_NOT_AVAILABLE: entry(422, 'Could not change user session locale'),

  MODEL_INVALID: entry(500, 'Server error'),
  MODEL_ENTITY_NOT_FOUND: entry(404, 'Entity not found'),
  MODEL_ENUM_NOT_FOUND: entry(404, 'Enum not found'),
  MODEL_FETCH_PLAN_NOT_FOUND: entry(404, 'Fetch plan not found'),
  MODEL_QUERY_NOT_FOUND: entry(404, 'Query not found'),
  MODEL_SERVICE_NOT_FOUND: entry(404, 'Service not found'),
  MODEL_SERVICE_METHOD_NOT_FOUND: entry(404, 'Service method not found'),

  ACCESS_REST_DENIED: entry(403, 'Forbidden'),
  ACCESS_READ_DENIED: entry(403, 'Reading forbidden'),
  ACCESS_CREATE_DENIED: entry(403, 'Creation forbidden'),
  ACCESS_UPDATE_DENIED: entry(403, 'Updating forbidden'),
  ACCESS_DELETE_DENIED: entry(403, 'Deletion forbidden'),
  ACCESS_DENIED: entry(403, 'Forbidden'),
  ACCESS_SCOPE_DENIED: entry(403, 'insufficient_scope'),

  DATA_INSTANCE_NOT_FOUND: entry(404, 'Entity not found'),
  DATA_VALIDATION_FAILED: entry(400, 'Validation failed'),
  DATA_CREATE_FAILED: entry(400, 'Entity creation failed'),
  DATA_UPDATE_FAILED: entry(400, 'Entity update failed'),
  DATA_PATCH_TEST_FAILED: entry(409, 'Patch test failed'),
  DATA_PATCH_CONFLICT: entry(409, 'Patch conflict'),
  DATA_TOO_MANY_AFFECTED: entry(409, 'Too many instances affected'),
  DATA_UNDO_CONFLICT: entry(409, 'The change cannot be taken back'),
  DATA_OPTIMISTIC_LOCK: entry(400, 'Optimistic lock'),
  DATA_ALREADY_EXISTS: entry(409, 'Entity already exists'),
  DATA_UNIQUE_VIOLATION: entry(409, 'Unique constraint violation'),
  DATA_REFERENCE_VIOLATION: entry(409, 'Referential integrity violation'),
  DATA_DELETE_POLICY: entry(409, 'Delete policy violation'),
  DATA_RESULT_TOO_LARGE: entry(400, 'The result is too large'),
  DATA_UNAVAILABLE: entry(503, 'Service unavailable', true),
  DATA_TIMEOUT: entry(503, 'Service unavailable', true),

  FILE_UPLOAD_DENIED: entry(403, 'File upload failed'),
  FILE_DOWNLOAD_DENIED: entry(403, 'File download failed'),
  FILE_REMOVAL_DENIED: entry(403, 'File removal failed'),
  FILE_INVALID_UPLOAD: entry(400, 'File upload failed'),
  FILE_TOO_LARGE: entry(413, 'File upload failed'),
  FILE_UPLOAD_NOT_FOUND: entry(404, 'Upload not found'),
  FILE_UPLOAD_OFFSET: entry(409, 'File upload failed'),
  FILE_INVALID_REFERENCE: entry(400, 'Invalid file reference'),
  FILE_NOT_FOUND: entry(404, 'File not found'),
  FILE_STORAGE_UNAVAILABLE: entry(503, 'File storage unavailable', true),
  FILE_STORAGE_FULL: entry(507, 'File storage full', true),

  REPORT_INVALID_BODY: entry(400, 'Invalid JSON body'),
  REPORT_TEMPLATE_NOT_FOUND: entry(400, 'Template not found'),
  REPORT_RUN_ERROR: entry(400, 'Run report error'),
  REPORT_RUN_FAILED: entry(500, 'Run report error'),
  REPORT_RUN_NOT_FOUND: entry(404, 'Report run not found'),
  REPORT_RUN_ENDED: entry(409, 'Report run has ended'),
  REPORT_INVALID_PARAMETER: entry(400, 'Invalid parameter value'),

  JOB_RUN_STATE: entry(409, 'The state of the run does not allow it'),
  BUS_QUEUE_GONE: entry(409, 'The queue no longer exists'),
  BUS_UNAVAILABLE: entry(503, 'Service unavailable', true),
  GATEWAY_UPSTREAM_FAILED: entry(502, 'Bad gateway', true),
  GATEWAY_UPSTREAM_UNAVAILABLE: entry(503, 'Service unavailable', true),
  GATEWAY_UPSTREAM_TIMEOUT: entry(504, 'Gateway timeout', true),
  INTERNAL_ERROR: entry(500, 'Server error'),
} as const satisfies Record<string, ErrorCodeEntry>;

/** A code of the closed list. */
export type ErrorCode = keyof typeof ERROR_CODES;
