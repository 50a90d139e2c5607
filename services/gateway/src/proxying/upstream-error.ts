import { PlatformError } from '@lintel/errors';

/** A service took longer than it may. */
export class UpstreamTimeout extends Error {
  readonly phase: 'connect' | 'answer';

  constructor(phase: UpstreamTimeout['phase'], timeoutMs: number) {
    super(`no ${phase === 'connect' ? 'connection' : 'answer'} within ${timeoutMs} ms`);
    this.name = 'UpstreamTimeout';
    this.phase = phase;
  }
}

/** No connection came to be, so the request certainly had no effect. */
const NOT_REACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** The answer for a failed upstream request; the only place that reads socket error codes. */
export function fromUpstreamError(error: Error): PlatformError {
  const code = 'code' in error ? String(error.code) : '';
  if (error instanceof UpstreamTimeout && error.phase === 'answer')
    return new PlatformError('GATEWAY_UPSTREAM_TIMEOUT', 'The service did not answer in time', { cause: error });
  if (error instanceof UpstreamTimeout || NOT_REACHED.has(code) || isNotReached(error)) return notReached(error);
  return new PlatformError('GATEWAY_UPSTREAM_FAILED', 'The service broke off', { cause: error });
}

/** The answer where nobody knows where the service is. */
export const noAddress = (service: string): PlatformError => notReached(new Error(`no address of ${service} is known`));

/** The answer where every connection to the service stayed in use. */
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

/** All addresses of a name were tried. */
const isNotReached = (error: Error): boolean =>
  error instanceof AggregateError &&
  error.errors.every((each) => each instanceof Error && 'code' in each && NOT_REACHED.has(String(each.code)));
