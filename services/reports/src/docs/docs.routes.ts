import { buildDocument, REPORTS_PATH, reportRoutes, SCHEMAS, TAG_DESCRIPTIONS } from '@lintel/contracts';
import { documentTexts, serveDocument } from '@lintel/http';
import type { Router } from 'express';

const INFO = {
  title: 'Reports REST API',
  version: '2.2',
  description: 'Reports that the caller may run: their parameters and templates, and the documents that they make.',
};

/** `GET /docs/openapi.json` and `.yaml`: the reports API alone (specification 4.13, contract §4.3). */
export function registerDocumentRoutes(router: Router): void {
  const texts = documentTexts(() =>
    buildDocument({
      info: INFO,
      server: REPORTS_PATH,
      routes: reportRoutes(''),
      schemas: SCHEMAS,
      tagDescriptions: TAG_DESCRIPTIONS,
    }),
  );
  serveDocument(router, '/docs/openapi', () => texts);
}
