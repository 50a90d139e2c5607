import { LINTEL_VERSION } from '@lintel/http';
import { parse } from 'yaml';
import { releaseDocuments } from './release-documents.ts';

const files = await releaseDocuments();
const named = (openapi: string, name: string): string => `lintel-${LINTEL_VERSION}-openapi-${openapi}-${name}`;

test('a release has the documents in both versions of OpenAPI, as JSON and YAML that say the same', () => {
  expect(Object.keys(files).length).toBe(8);
  for (const [openapi, version] of [
    ['3.1', '3.1.0'],
    ['3.0', '3.0.3'],
  ] as const)
    for (const name of ['rest', 'reports']) {
      const document = JSON.parse(files[named(openapi, `${name}.json`)] ?? '') as { readonly openapi: string };
      expect(document.openapi).toBe(version);
      expect(parse(files[named(openapi, `${name}.yaml`)] ?? '')).toEqual(document);
    }
});
