import { announceDeprecation, type RequestCheck } from '@lintel/http';

/** Older names of `fetchPlan` and `responseFetchPlan` (contract/decisions.md#34, #75); they have no date of removal. */
const OLD = /[?&](?:view|responseView)=/;
const SINCE = { since: '2026-11-25' };

/** Announces that a parameter of the request has another name now; it works as before. */
export const announceOldParameters: RequestCheck = (request, response) => {
  if (request.url.includes('iew=') && OLD.test(request.url)) announceDeprecation(response, SINCE);
};
