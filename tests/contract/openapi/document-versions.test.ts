import { parse } from 'yaml';
import { as } from '../api.ts';
import type { OpenApi } from './read-document.ts';

const GENERIC = '/rest/docs/openapi';
const DETAILED = '/rest/docs/openapiDetailed';
const REPORTS = '/rest/reports/docs/openapi';

const ask = (path: string) => as('admin', 'GET', path.replace(/^\/rest/, ''));
const idsOf = (document: OpenApi): readonly string[] =>
  Object.values(document.paths)
    .flatMap(Object.values)
    .map(({ operationId }) => operationId);

describe('the documents in OpenAPI 3.0 (contract/api-documents.md#parameters)', () => {
  test.each([GENERIC, DETAILED, REPORTS])(
    '%s has the same operations, without webhooks, also as YAML',
    async (path) => {
      const [newest, json, yaml] = await Promise.all(
        ['json', 'json?openapi=3.0', 'yaml?openapi=3.0'].map((form) => ask(`${path}.${form}`)),
      );
      const older: OpenApi = json?.json();
      expect([older.openapi, older.webhooks]).toEqual(['3.0.3', undefined]);
      expect(idsOf(older)).toEqual(idsOf(newest?.json()));
      expect(parse(yaml?.text ?? '')).toEqual(older);
      expect(json?.headers.get('etag')).not.toBe(newest?.headers.get('etag'));
      expect((await ask(`${path}.json?openapi=3.1`)).text).toBe(newest?.text);
    },
  );

  // Asserts contract/api-documents.md#parameters.
  test.each([
    ['openapi=2.0', 'openapi'],
    ['openapi=', 'openapi'],
    ['openapi=3.0&openapi=3.0', 'openapi'],
    ['for=you', 'for'],
    ['for=', 'for'],
  ])('the parameter %s returns 400 and is named', async (parameters, name) => {
    for (const path of [GENERIC, DETAILED, REPORTS]) {
      const { status, text } = await ask(`${path}.json?${parameters}`);
      expect([status, JSON.parse(text).details]).toEqual([400, expect.stringContaining(`'${name}'`)]);
    }
  });
});
