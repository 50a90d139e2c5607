import { type OpenApiDocument, toOpenApi30 } from '@lintel/contracts';
import type { OpenApiVersion } from './document-request.ts';
import { type DocumentTexts, documentTexts } from './document-texts.ts';

/** The texts of one document by the version of OpenAPI. */
export type DocumentVersions = Readonly<Record<OpenApiVersion, DocumentTexts>>;

/** @param make creates the document, in OpenAPI 3.1; called at most once */
export function documentVersions(make: () => OpenApiDocument): DocumentVersions {
  const newest = documentTexts(make);
  return {
    '3.1': newest,
    '3.0': documentTexts(() => toOpenApi30(JSON.parse(newest.json().text) as OpenApiDocument)),
  };
}
