import { parse, stringify } from 'yaml';
import { buildDocument } from './build-document.ts';
import { genericRoutes } from './openapi.routes.ts';

const PATHS = {
  basePath: '/api',
  entitiesPath: '/entities',
  docsPath: '/docs',
  metadataPath: '/metadata',
  filesPath: '/files',
  messagesPath: '/messages',
  permissionsPath: '/permissions',
  queriesPath: '/queries',
  servicesPath: '/services',
  userInfoPath: '/userInfo',
  userSessionPath: '/user-session',
  capabilitiesPath: '/capabilities',
};

const routes = genericRoutes(PATHS);
const document = buildDocument({ title: 'T', version: '1' }, routes);

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}
const operations = Object.entries(document['paths'] as Record<string, Record<string, Operation>>).flatMap(
  ([path, byMethod]) => Object.entries(byMethod).map(([method, operation]) => ({ path, method, operation })),
);

test('every operation has its own id, a description of every answer and one of success', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(routes.length);
  for (const { operation } of operations) {
    expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true);
    for (const response of Object.values(operation.responses)) expect(response.description).not.toBe('');
  }
});

test('the parameters of every path are described, and no others', () => {
  for (const { path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(described.map(({ name }) => name).sort()).toEqual(inPath.sort());
  }
});

test('every reference leads to a schema', () => {
  const schemas = (document['components'] as { schemas: object }).schemas;
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(20);
  for (const [, name] of references) expect(Object.keys(schemas)).toContain(name);
});

test('configured paths are used', () => {
  expect(operations.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/api/entities/{entityName}/{entityId}', '/api/files', '/oauth/token', '/api/userInfo']),
  );
});

test('YAML says the same as JSON', () => {
  expect(parse(stringify(document, { aliasDuplicateObjects: false }))).toEqual(JSON.parse(JSON.stringify(document)));
});
