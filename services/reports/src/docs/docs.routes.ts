import { reportsDocument } from '@lintel/contracts';
import { documentTexts, LINTEL_VERSION, serveDocument } from '@lintel/http';
import type { Router } from 'express';

/**
 * `GET /docs/openapi.json` and `.yaml`: the document of the reports API (contract/reports.md#reports,
 * contract/api-documents.md#reports).
 */
export function registerDocumentRoutes(router: Router): void {
  const texts = documentTexts(() => reportsDocument(LINTEL_VERSION));
  serveDocument(router, '/docs/openapi', () => texts);
}
