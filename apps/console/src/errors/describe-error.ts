import { LintelError, NetworkError, RestError, TimeoutError, UnauthorizedError, ValidationError } from '@lintel/client';
import type { Text } from '../language/create-text.ts';

/** An error as people read it. */
export interface ErrorDescription {
  readonly title: string;
  /** What the service said. */
  readonly details: string;
  /** The stable code of the error, and the trace by which the log of the server has it. */
  readonly code: string;
  readonly trace: string | undefined;
}

/** Says what happened in the language of the page, with the words and the code of the service. */
export function describeError(error: unknown, text: Text): ErrorDescription {
  if (error instanceof RestError) {
    const { code, traceId: trace } = error;
    return { title: titleOf(error, text), details: detailsOf(error), code, trace };
  }
  const code = error instanceof LintelError ? error.code : 'CONSOLE';
  const title = text(
    error instanceof NetworkError
      ? 'error.network'
      : error instanceof TimeoutError
        ? 'error.timeout'
        : 'error.unexpected',
  );
  return { title, details: error instanceof Error ? error.message : String(error), code, trace: undefined };
}

function titleOf(error: RestError, text: Text): string {
  if (error instanceof UnauthorizedError) return text('error.loggedOut');
  if (error instanceof ValidationError) return text('error.validation');
  switch (error.status) {
    case 403:
      return text('error.forbidden');
    case 404:
      return text('error.notFound');
    case 409:
    case 412:
      return text('error.conflict');
    case 429:
    case 503:
      return text('error.busy');
    default:
      return text(error.status >= 500 ? 'error.server' : 'error.refused');
  }
}

const detailsOf = ({ error, details, code }: RestError): string =>
  [...new Set([error, details])].filter((part) => part !== '').join(': ') || code;
