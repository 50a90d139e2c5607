import { PlatformError } from '@lintel/errors';

/** A service exceeded its time limit. */
export class UpstreamTimeout extends Error {
  readonly phase: 'connect' | 'response';

  constructor(phase: UpstreamTimeout['phase'], timeoutMs: number) {
    super(`no ${phase === 'connect' ? 'connection' : 'response'} within ${timeoutMs} ms`);
    this.name = 'UpstreamTimeout';
    this.phase = phase;
  }
}

/** Codes for a connection that could not be opened, so that the request certainly had no effect. */
const NOT_REACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** The error response for a failed upstream request. Only this function reads socket error codes. */
export function fromUpstreamError(error: Error): PlatformError {
  const code = 'code' in error ? String(error.code) : '';
  if (error instanceof UpstreamTimeout && error.phase === 'response')
    return new PlatformError('GATEWAY_UPSTREAM_TIMEOUT', 'The service did not respond in time', { cause: error });
  if (error instanceof UpstreamTimeout || NOT_REACHED.has(code) || isNotReached(error)) return notReached(error);
  return new PlatformError('GATEWAY_UPSTREAM_FAILED', 'The service broke off', { cause: error });
}

/** The error where no address of the service is known. */
export const noAddress = (service: string): PlatformError => notReached(new Error(`no address of ${service} is known`));

/** The error where all connections to the service stayed in use. */
export const tooBusy = (service: string): PlatformError =>
  new PlatformError('GATEWAY_UPSTREAM_UNAVAILABLE', 'The service has too much to do; try again later', {
    cause: new Error(`no connection to ${service} became free in time`),
    headers: { 'Retry-After': '1' },
  });

const notReached = (cause: Error): PlatformError =>
  new PlatformError('GATEWAY_UPSTREAM_UNAVAILABLE', 'The service cannot be reached', {
    cause,
    headers: { 'Retry-After': '1' },
  });

/** An `AggregateError` means that all addresses of a name were tried. */
const isNotReached = (error: Error): boolean =>
  error instanceof AggregateError &&
  error.errors.every((each) => each instanceof Error && 'code' in each && NOT_REACHED.has(String(each.code)));
