import type { IncomingMessage } from 'node:http';
import { acceptedType } from './accepted-type.ts';

/** Whether a request accepts one of the types. */
export const accepts = (request: IncomingMessage, types: readonly string[]): boolean =>
  acceptedType(request, types) !== undefined;
