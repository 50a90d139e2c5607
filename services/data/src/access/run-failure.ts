import type { PlatformError } from '@lintel/errors';

/** The response that a waiting client would have got, in the form of runs of reports. */
export interface Failure {
  readonly status: number;
  readonly error: string;
  readonly details: string;
  /** Further members of the response. */
  readonly [member: string]: unknown;
}

/** A failure of a job of the platform, which its caller reads; operators see the kind of its cause alone. */
export class RunFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, cause: unknown) {
    super('The call has failed', { cause });
    this.failure = failure;
  }
}

/** The failure of an error of the platform. */
export function failureOfError({ status, error, details, items }: PlatformError): Failure {
  return { status, error, details: items?.map(({ message }) => message).join('; ') ?? details };
}
