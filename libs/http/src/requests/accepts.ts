import type { IncomingMessage } from 'node:http';
import express, { type Request } from 'express';

const chooseType: (this: Request, types: string[]) => string | false = express.request.accepts;

/** Whether a request accepts one of the types, as Express decides it; the request may not be one of Express. */
export const accepts = (request: IncomingMessage, types: readonly string[]): boolean =>
  chooseType.call(request as Request, [...types]) !== false;
