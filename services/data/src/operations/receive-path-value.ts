import type { Request } from 'express';

/** No id of a process or of a dead letter is longer. */
const MAX_LENGTH = 300;

/** A segment of the path. */
export function receivePathValue({ params }: Pick<Request, 'params'>, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value.slice(0, MAX_LENGTH) : '';
}
