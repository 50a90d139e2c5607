import type { ServerResponse } from 'node:http';
import type { Application } from '@lintel/application';
import { localizeFor, type WriteEnvironment } from '@lintel/entities';
import { isPlatformError } from '@lintel/errors';
import { principalOf } from '@lintel/http';
import type { ErrorRequestHandler } from 'express';
import { responseOfError } from './response-of-error.ts';
import { sendControllerResponse } from './send-response.ts';

/** Responds to an error in the application's way, if it has one. Returns false if it has not responded. */
export type ErrorResponder = (error: unknown, response: ServerResponse) => boolean;

/**
 * Sends the application's response to an error that a listener throws while the entity API saves
 * (contract/writing.md#listeners). The transaction is rolled back already. There is none to other errors.
 */
export const listenerErrorResponder =
  (
    application: Pick<Application, 'id' | 'errorHandlers'>,
    environment: Pick<WriteEnvironment, 'currentMessages'>,
  ): ErrorResponder =>
  (error, response) => {
    const principal = principalOf(response);
    // Without a principal the error is one of the token or session: no listener has run.
    if (principal === undefined) return false;
    const localize = localizeFor(environment, principal, application.id);
    const own = responseOfError(thrownBy(error), application.errorHandlers ?? [], localize);
    if (own === undefined) return false;
    sendControllerResponse(response, own);
    return true;
  };

/** The same for Express, which passes other errors on. */
export const toErrorHandler =
  (respond: ErrorResponder): ErrorRequestHandler =>
  (error, _request, response, next) => {
    if (!respond(error, response)) next(error);
  };

/** The error of the listener itself: `guardListener` has made it an error of the server. */
const thrownBy = (error: unknown): unknown =>
  isPlatformError(error) && error.code === 'INTERNAL_ERROR' ? (error.cause ?? error) : error;
