import type { Application } from '@lintel/application';
import { localizeFor, type WriteEnvironment } from '@lintel/entities';
import { isPlatformError } from '@lintel/errors';
import { principalOf } from '@lintel/http';
import type { ErrorRequestHandler } from 'express';
import { responseOfError } from './response-of-error.ts';
import { sendControllerResponse } from './send-response.ts';

/**
 * Sends the application's response to an error that a listener throws while the entity API saves
 * (contract/writing.md#listeners). The transaction is rolled back already. Other errors are passed on.
 */
export const listenerErrorHandler =
  (
    application: Pick<Application, 'id' | 'errorHandlers'>,
    environment: Pick<WriteEnvironment, 'currentMessages'>,
  ): ErrorRequestHandler =>
  (error, _request, response, next) => {
    const principal = principalOf(response);
    // Without a principal the error is one of the token or session: no listener has run.
    if (principal === undefined) return next(error);
    const localize = localizeFor(environment, principal, application.id);
    const own = responseOfError(thrownBy(error), application.errorHandlers ?? [], localize);
    if (own === undefined) next(error);
    else sendControllerResponse(response, own);
  };

/** The error of the listener itself: `guardListener` has made it an error of the server. */
const thrownBy = (error: unknown): unknown =>
  isPlatformError(error) && error.code === 'INTERNAL_ERROR' ? (error.cause ?? error) : error;
