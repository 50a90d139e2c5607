import { PlatformError } from '@lintel/errors';
import type { Request, RequestHandler, Response, Router } from 'express';
import { accepts } from '../requests/negotiation/accepts.ts';
import { PROBLEM_TYPE } from '../responses/problem-details.ts';
import { respondTagged } from '../responses/respond-tagged.ts';
import { type DocumentRequest, readDocumentRequest } from './document-request.ts';
import type { DocumentTexts } from './document-texts.ts';

/**
 * Serves `<path>.json` and `<path>.yaml` (contract/api-documents.md#endpoints): with a tag and 304, 406 if `Accept`
 * excludes the form, 400 for a wrong parameter.
 */
export function serveDocument(
  router: Router,
  path: string,
  find: (request: Request, response: Response, wanted: DocumentRequest) => DocumentTexts | Promise<DocumentTexts>,
): void {
  const serve =
    (form: keyof DocumentTexts): RequestHandler =>
    async (request, response) => {
      const type = `application/${form}`;
      if (!accepts(request, [type, PROBLEM_TYPE]))
        throw new PlatformError('REQ_NOT_ACCEPTABLE', `This endpoint returns ${type}`);
      const texts = await find(request, response, readDocumentRequest(request.query));
      respondTagged(request, response, await texts[form](), type);
    };
  router.get(`${path}.json`, serve('json'));
  router.get(`${path}.yaml`, serve('yaml'));
}
