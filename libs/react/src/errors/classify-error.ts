import { LintelError, NetworkError, RestError, TimeoutError, UnauthorizedError, ValidationError } from '@lintel/client';

/** What a page says about an error; texts of an application have these kinds as their keys. */
export type ErrorKind =
  | 'busy'
  | 'conflict'
  | 'forbidden'
  | 'loggedOut'
  | 'network'
  | 'notFound'
  | 'refused'
  | 'server'
  | 'timeout'
  | 'unexpected'
  | 'validation';

/** An error in the parts that are shown. */
export interface ClassifiedError {
  /** What happened, for the text of the page. */
  readonly kind: ErrorKind;
  /** What the service said. */
  readonly details: string;
  /** The stable code of the error; empty where it is none of the service or the client. */
  readonly code: string;
  /** The trace by which the log of the server has it. */
  readonly trace: string | undefined;
}

/** Says of which kind an error is, with the words and the code of the service. */
export function classifyError(error: unknown): ClassifiedError {
  if (error instanceof RestError)
    return { kind: kindOf(error), details: detailsOf(error), code: error.code, trace: error.traceId };
  const code = error instanceof LintelError ? error.code : '';
  const kind = error instanceof NetworkError ? 'network' : error instanceof TimeoutError ? 'timeout' : 'unexpected';
  return { kind, details: error instanceof Error ? error.message : String(error), code, trace: undefined };
}

function kindOf(error: RestError): ErrorKind {
  if (error instanceof UnauthorizedError) return 'loggedOut';
  if (error instanceof ValidationError) return 'validation';
  switch (error.status) {
    case 403:
      return 'forbidden';
    case 404:
      return 'notFound';
    case 409:
    case 412:
      return 'conflict';
    case 429:
    case 503:
      return 'busy';
    default:
      return error.status >= 500 ? 'server' : 'refused';
  }
}

const detailsOf = ({ error, details, code }: RestError): string =>
  [...new Set([error, details])].filter((part) => part !== '').join(': ') || code;
