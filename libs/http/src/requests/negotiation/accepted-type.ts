import type { IncomingMessage } from 'node:http';
import express, { type Request } from 'express';

const chooseType: (this: Request, types: string[]) => string | false = express.request.accepts;

/**
 * The type that the client prefers, as Express decides it; the request may not be one of Express. Parameters of media
 * ranges are disregarded, except the weight: `application/json;charset=utf-8` accepts JSON.
 *
 * @returns undefined if none is acceptable
 */
export function acceptedType(request: IncomingMessage, types: readonly string[]): string | undefined {
  const { accept } = request.headers;
  const headers = accept === undefined ? {} : { accept: withoutParameters(accept) };
  const chosen = chooseType.call({ headers } as Request, [...types]);
  return chosen === false ? undefined : chosen;
}

function withoutParameters(accept: string): string {
  if (!accept.includes(';')) return accept;
  return accept
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';');
      const weight = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
      return weight === undefined ? type : `${type};${weight}`;
    })
    .join(',');
}
