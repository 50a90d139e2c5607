import type { PlatformError, ValidationItem } from '@lintel/errors';

/** Media type of errors in the form of RFC 9457. */
export const PROBLEM_TYPE = 'application/problem+json';

/** An error in the form of RFC 9457. */
export interface ProblemDetails {
  /** `urn:lintel:error:` and the code: identifies the kind of the problem, and does not change. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  /** The code of docs/reference/errors.md. */
  readonly code: string;
  readonly traceId?: string;
  /** The violated rules (contract/writing.md#validation). */
  readonly errors?: readonly ValidationItem[];
}

/**
 * Whether `Accept` names the media type of RFC 9457. A wildcard does not: clients that send one get the compatible
 * form of errors (contract/errors.md#form).
 */
export function acceptsProblem(accept: string | undefined): boolean {
  if (accept?.toLowerCase().includes(PROBLEM_TYPE) !== true) return false;
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === PROBLEM_TYPE && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/** The page of all errors, at the root of the server. */
export const PROBLEMS_PATH = '/problems';

/** `Link` to the explanation of an error; relative, so that it is right below any prefix of a proxy. */
export const helpLink = (url: string, code: string): string => {
  const levels = (url.split('?', 1)[0] ?? '').split('/').length - 2;
  return `<${'../'.repeat(levels) || './'}${PROBLEMS_PATH.slice(1)}#${code}>; rel="help"`;
};

/** @param details text for the client; empty if there is none */
export function problemOf(error: PlatformError, details: string, traceId: string | undefined): ProblemDetails {
  const { code, items, status } = error;
  return {
    type: `urn:lintel:error:${code}`,
    title: error.error,
    status,
    ...(details !== '' && items === undefined && { detail: details }),
    code,
    ...(traceId !== undefined && { traceId }),
    ...(items !== undefined && { errors: items }),
  };
}
