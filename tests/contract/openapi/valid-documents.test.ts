import { officialProblems, redoclyProblems, spectralProblems } from './document-problems.ts';
import { NAMED } from './named-documents.ts';

describe('the documents (contract/api-documents.md#endpoints)', () => {
  test.each(NAMED)('the %s one keeps the official schema of its version of OpenAPI', async (_name, document) => {
    expect(await officialProblems(document)).toEqual([]);
  });

  test.each(NAMED)('the %s one passes the rules of a second validator, examples included', async (_name, document) => {
    expect(await redoclyProblems(document)).toEqual([]);
  });

  test.each(NAMED)('the %s one passes the rules of Spectral', async (_name, document) => {
    expect(await spectralProblems(document)).toEqual([]);
  });
});
