import { HISTORY_PATH } from '@lintel/contracts';
import { currentWriteDependencies, undoChange, type WriteDependencies } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import { applyPreference, contextOf, handlingFor, isRehearsal, publicUrlOf, sendJsonText } from '@lintel/http';
import type { Router } from 'express';
import { z } from 'zod';
import { idempotentCallOf } from '../entities/receive-write.ts';
import { refuseBody } from '../receiving/receive-json.ts';
import { type HistoryOptions, receiveEntities } from './history.routes.ts';

/** Takes back everything that a transaction has written (contract/history.md#undo). */
export function registerUndoRoute(router: Router, options: HistoryOptions & { readonly write: WriteDependencies }) {
  router.post(`${HISTORY_PATH}/changes/:change/undo`, async (request, response) => {
    const { entities } = await receiveEntities(request, response, options);
    const change = z.uuid().safeParse(request.params['change']);
    if (!change.success) throw new PlatformError('REQ_INVALID_PARAMETER', 'change must be a UUID');
    await refuseBody(request, 'an undo has no members');
    const { principal, signal } = contextOf(request, response);
    const isRehearsed = isRehearsal(request);
    if (isRehearsed) applyPreference(response, 'tx=rollback');
    const undo = {
      change: change.data,
      entities,
      url: publicUrlOf(request),
      unknownMembers: handlingFor(request, response, 'name'),
      isRehearsal: isRehearsed,
      idempotentCall: idempotentCallOf(request, ''),
    };
    const result = await undoChange(undo, principal, await currentWriteDependencies(options.write), signal);
    for (const [name, value] of Object.entries(result.headers)) response.appendHeader(name, value);
    response.statusCode = result.status;
    sendJsonText(response, result.body);
  });
}
