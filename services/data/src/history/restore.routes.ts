import { HISTORY_PATH, restoreBody } from '@lintel/contracts';
import { currentWriteDependencies, updateEntity, type WriteDependencies } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import { formerBody } from '@lintel/history';
import { applyPreference, contextOf, isRehearsal, pathParameter, publicUrlOf, sendJsonText } from '@lintel/http';
import type { Router } from 'express';
import { idempotentCallOf } from '../entities/receive-write.ts';
import { assertBodySize } from '../limits/assert-body-size.ts';
import { receiveChecked } from '../rights/receive-rights.ts';
import { assertShown, type HistoryOptions, receiveHistory } from './history.routes.ts';

/** Writes a former state of an instance again (contract/history.md#restore). */
export function registerRestoreRoute(router: Router, options: HistoryOptions & { readonly write: WriteDependencies }) {
  router.post(`${HISTORY_PATH}/:entityName/:entityId/restore`, async (request, response) => {
    const { subject, reading } = await receiveHistory(request, response, options);
    const { time, attributes } = await receiveChecked(request, restoreBody);
    assertShown(subject.entity, reading, { attributes: attributes ?? [] });
    const chosen = attributes && new Set(attributes);
    const body = await formerBody(subject, time, chosen, reading);
    if (body === undefined) throw new PlatformError('DATA_INSTANCE_NOT_FOUND', '', { emptyBody: true });
    const { principal, signal } = contextOf(request, response);
    assertBodySize(body, options.write.read.limitsOf(principal), 'former state');
    const isRehearsed = isRehearsal(request);
    if (isRehearsed) applyPreference(response, 'tx=rollback');
    const update = {
      entityName: subject.entity.name,
      id: pathParameter(request, 'entityId'),
      body,
      responsePlan: undefined,
      ifMatch: request.headers['if-match'],
      unknownMembers: 'name' as const,
      url: publicUrlOf(request),
      isRehearsal: isRehearsed,
      idempotentCall: idempotentCallOf(request, JSON.stringify({ time, attributes })),
    };
    const write = await currentWriteDependencies(options.write);
    const result = await updateEntity(update, principal, write, signal);
    for (const [name, value] of Object.entries(result.headers)) response.appendHeader(name, value);
    response.statusCode = result.status;
    sendJsonText(response, result.body);
  });
}
