import { genericDocument, restApiInfo } from '../documents.ts';
import { toOpenApi30 } from './to-open-api-30.ts';

const PATHS = {
  basePath: '/rest',
  entitiesPath: '/entities',
  changesPath: '/changes',
  docsPath: '/docs',
  metadataPath: '/metadata',
  filesPath: '/files',
  messagesPath: '/messages',
  permissionsPath: '/permissions',
  queriesPath: '/queries',
  servicesPath: '/services',
  userInfoPath: '/userInfo',
  userSessionPath: '/user-session',
  apiKeysPath: '/api-keys',
  clientsPath: '/clients',
  operationsPath: '/operations',
  rightsPath: '/rights',
  ticketsPath: '/tickets',
  capabilitiesPath: '/capabilities',
};
const document = genericDocument(restApiInfo('Things', '1.2.3', '0.1.0'), PATHS);
const older = toOpenApi30(document);

// Asserts contract/api-documents.md#parameters.
test('a document of 3.0 has the same paths and no words of 3.1', () => {
  expect(older['openapi']).toBe('3.0.3');
  expect(Object.keys(older['paths'] as object)).toEqual(Object.keys(document['paths'] as object));
  expect([older['webhooks'], (older['components'] as Record<string, unknown>)['pathItems']]).toEqual([
    undefined,
    undefined,
  ]);
  const text = JSON.stringify(older);
  for (const keyword of [
    '"const"',
    '"type":["',
    '"contentMediaType"',
    '"if"',
    '"identifier"',
    '"type":"null"',
    '"5XX"',
  ])
    expect(text).not.toContain(keyword);
});

test('schemas that only webhooks use are left out', () => {
  const { schemas } = older['components'] as { readonly schemas: object };
  expect(Object.keys(schemas)).not.toContain('WebhookMessage');
  expect(Object.keys(schemas)).toContain('Entity');
});

test('examples keep their members, also one named schema', () => {
  const example = { schema: { type: ['string', 'null'] } };
  const content = { 'application/json': { schema: { type: ['string', 'null'] }, example } };
  const { paths } = toOpenApi30({ info: {}, paths: { '/a': content }, components: { schemas: {} } });
  expect(paths).toEqual({ '/a': { 'application/json': { schema: { type: 'string', nullable: true }, example } } });
});
