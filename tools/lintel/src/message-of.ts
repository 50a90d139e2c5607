/** The sentence of an error; of several reasons in one (a host with two addresses), all. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return [...new Set(error.errors.map(messageOf))].join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}

/** What an error was caused by in the end: errors of the platform say to clients less than there is to know. */
export const rootCauseOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? rootCauseOf(error.cause) : error;
