import {
  type DatasetColumn,
  type DatasetRequest,
  datasetColumnsSchema,
  datasetEndSchema,
  datasetParentSchema,
  type EntityDatasetRequest,
} from '@lintel/contracts';
import type { SelectedRow } from '@lintel/documents';
import { ERROR_CODES, insufficientAuthentication, type NeededAuthentication, PlatformError } from '@lintel/errors';
import { createServiceClient, type HttpResponse } from '@lintel/http-client';
import { ExactNumber, isExactObject, readExactJson } from '@lintel/query';
import type { Metrics } from '@lintel/telemetry';
import type { DatasetClient, RunToken } from './dataset-client.ts';
import { linesOf } from './lines.ts';

export interface HttpDatasetClient extends DatasetClient {
  close(): Promise<void>;
}

export interface HttpDatasetClientOptions {
  /** Internal listeners of the replicas of the data service. */
  readonly dataInternalUrls: readonly string[];
  /** Maximum wait for the data service, before and between rows. */
  readonly silenceMs: number;
  readonly metrics?: Metrics | undefined;
}

const STEP_UP_ERROR = ERROR_CODES.AUTH_STEP_UP_REQUIRED.error;
/** Maximum size of an error body. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Creates the client of `POST /internal/datasets` (`libs/contracts/src/internal-api.ts`). */
export function createHttpDatasetClient(options: HttpDatasetClientOptions): HttpDatasetClient {
  const data = createServiceClient(options.dataInternalUrls, {
    service: 'data',
    metrics: options.metrics,
    timeoutMs: options.silenceMs,
    // Below the idle time after which the data service closes a connection.
    keepAliveMs: 30_000,
  });
  const send = async (query: DatasetRequest, token: string, signal: AbortSignal): Promise<HttpResponse> => {
    const headers = { accept: 'application/x-ndjson' };
    try {
      return await data.send('/internal/datasets', { method: 'POST', token, json: query, headers, signal });
    } catch (cause) {
      throw unreachable(cause, signal);
    }
  };
  async function* select(query: DatasetRequest, token: RunToken, signal: AbortSignal): AsyncGenerator<SelectedRow> {
    const response = await send(query, await token(), signal);
    if (response.statusCode !== 200) throw await refusal(response);
    yield* rowsOf(response.body, signal);
  }
  return {
    async *read(query, token, signal) {
      for await (const { row } of select(withRootEntity(query), token, signal)) yield row;
    },
    select,
    close: () => data.close(),
  };
}

/** An inline plan of a data set need not repeat the entity that the data set names. */
function withRootEntity(query: EntityDatasetRequest): EntityDatasetRequest {
  const { entity, fetchPlan } = query;
  if (typeof fetchPlan !== 'object' || fetchPlan === null || Array.isArray(fetchPlan)) return query;
  return { ...query, fetchPlan: { entity, ...fetchPlan } };
}

async function* rowsOf(body: HttpResponse['body'], signal: AbortSignal): AsyncGenerator<SelectedRow> {
  let rows = 0;
  let at = 0;
  let columns: readonly DatasetColumn[] | undefined;
  let isComplete = false;
  try {
    for await (const line of linesOf(body)) {
      if (isComplete) throw new Error('The data service sent a row after the end of the data set');
      const value = readExactJson(line);
      if (!isExactObject(value)) throw new Error('The data service sent a row that is no object');
      const end = value['$end'];
      if (end instanceof ExactNumber) {
        const { $end } = datasetEndSchema.parse({ $end: Number(end.text) });
        if ($end !== rows) throw new Error(`The data service announced ${$end} rows and sent ${rows}`);
        isComplete = true;
      } else if (value['$at'] instanceof ExactNumber) {
        at = datasetParentSchema.parse({ $at: Number(value['$at'].text) }).$at;
      } else if (Array.isArray(value['$columns'])) {
        columns = datasetColumnsSchema.parse(value).$columns;
      } else {
        rows += 1;
        yield { at, row: value, columns };
      }
    }
  } catch (error) {
    if (isConnectionError(error)) throw unreachable(error, signal);
    throw error;
  }
  if (!isComplete) throw unreachable(new Error(`The data set ended after ${rows} rows without its end`), signal);
}

/** The error of a response that is no data set. Only errors that concern the caller keep their code. */
async function refusal({ statusCode, headers, body }: HttpResponse): Promise<Error> {
  const text = (await body.text()).slice(0, MAX_ERROR_BYTES);
  const { error, details } = errorBody(text);
  switch (statusCode) {
    case 401:
      if (error === STEP_UP_ERROR) return insufficientAuthentication(neededBy(headers));
      return new PlatformError('AUTH_INVALID_TOKEN', 'Invalid access token');
    case 403:
      return new PlatformError('ACCESS_READ_DENIED', details, { error });
    // The data service has too many requests of this caller.
    case 429:
    case 502:
    case 503:
    case 504:
      return new PlatformError('DATA_UNAVAILABLE', details === '' ? 'The data cannot be read now' : details);
    default:
      return new Error(`The data service returned ${statusCode}: ${error}: ${details}`);
  }
}

/** The login that the challenge of a 401 requests (RFC 9470). */
function neededBy(headers: HttpResponse['headers']): NeededAuthentication {
  const challenge = String(headers['www-authenticate'] ?? '');
  return { acr: /acr_values="([^"]+)"/.exec(challenge)?.[1] };
}

function errorBody(text: string): { readonly error: string; readonly details: string } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'error' in body)
      return { error: String(body.error), details: 'details' in body ? String(body.details) : '' };
  } catch {
    // Not JSON: only the status is known.
  }
  return { error: 'Reading failed', details: '' };
}

/**
 * A disconnected client and the deadline of the run are the reason of the signal; other errors are of the data service.
 */
const unreachable = (cause: unknown, signal: AbortSignal): unknown =>
  signal.aborted ? signal.reason : new PlatformError('DATA_UNAVAILABLE', 'The data cannot be read now', { cause });

const isConnectionError = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  (('code' in error && typeof error.code === 'string' && /^(UND_ERR|ECONN|EPIPE|ETIMEDOUT)/.test(error.code)) ||
    ('name' in error && error.name === 'AbortError') ||
    ('message' in error && error.message === 'terminated'));
