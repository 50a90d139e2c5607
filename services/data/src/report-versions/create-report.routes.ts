import { createEntities, currentWriteDependencies, type WriteDependencies } from '@lintel/entities';
import { contextOf, readBody, sendJsonText } from '@lintel/http';
import type { Router } from 'express';
import { REPORT } from './shown-version.ts';

const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** `POST /internal/reports`: saves a report that the reports service has made, as the caller would. */
export function registerReportCreation(router: Router, write: WriteDependencies): void {
  router.post('/reports', async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const body = (await readBody(request, MAX_BODY_BYTES)).toString('utf8');
    const none = { responsePlan: undefined, ifMatch: undefined, idempotentCall: undefined, url: '' };
    const deps = await currentWriteDependencies(write);
    const created = await createEntities({ entityName: REPORT, body, ...none }, principal, deps, signal);
    response.statusCode = created.status;
    sendJsonText(response, created.body);
  });
}
