import type { Application } from '@lintel/application';
import type { WriteEnvironment } from '@lintel/entities';
import { localizeFor } from '@lintel/entities';
import { principalOf } from '@lintel/http';
import type { ErrorRequestHandler } from 'express';
import { answerOfError } from './answer-of-error.ts';
import { sendControllerResponse } from './send-response.ts';

/**
 * Answers errors that listeners throw while the entity API saves as the application wants them answered
 * (contract/writing.md#listeners); everything was rolled back by then. Other errors go on.
 */
export const answerListeners =
  (
    application: Pick<Application, 'id' | 'errorHandlers'>,
    environment: Pick<WriteEnvironment, 'currentMessages'>,
  ): ErrorRequestHandler =>
  (error, _request, response, next) => {
    const principal = principalOf(response);
    // No listener has run before there was a caller: what went wrong with its token or session is told as it is.
    if (principal === undefined) return next(error);
    const localize = localizeFor(environment, principal, application.id);
    const own = answerOfError(error, application.errorHandlers ?? [], localize);
    if (own === undefined) next(error);
    else sendControllerResponse(response, own);
  };
