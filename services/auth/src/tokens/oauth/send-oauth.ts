import type { ServerResponse } from 'node:http';
import { isPlatformError, PlatformError } from '@lintel/errors';
import { forbidCaching } from '@lintel/http';
import type { Request, RequestHandler, Response } from 'express';
import { OAuthFailure } from './oauth-failure.ts';

/** Clients of the password flow compare exactly with this text (contract/tokens.md#response). */
const CONTENT_TYPE = 'application/json;charset=UTF-8';

/** Ends the response with JSON text that must not be cached. */
export function sendOAuthJson(response: ServerResponse, status: number, text: string): void {
  forbidCaching(response);
  response.statusCode = status;
  response.setHeader('Content-Type', CONTENT_TYPE);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

function sendFailure(response: ServerResponse, failure: OAuthFailure): void {
  for (const [name, value] of Object.entries(failure.headers)) response.setHeader(name, value);
  sendOAuthJson(response, failure.status, JSON.stringify(failure.body));
}

/** A handler whose `OAuthFailure`s become responses; other errors are passed to the error renderer. */
export const oauthHandler =
  (handle: (request: Request, response: Response) => Promise<void>): RequestHandler =>
  async (request, response) => {
    try {
      forbidCaching(response);
      await handle(request, response);
    } catch (error) {
      if (error instanceof OAuthFailure) sendFailure(response, error);
      else throw toServerError(error);
    }
  };

/** Replaces other errors by the server error of the contract (contract/tokens.md#oauth-errors). */
const toServerError = (error: unknown): PlatformError =>
  isPlatformError(error) && error.code !== 'INTERNAL_ERROR'
    ? error
    : new PlatformError('INTERNAL_ERROR', '', { error: 'Internal Server Error', cause: error });
