import { buildDocument } from './build-document.ts';
import { genericRoutes, TAG_DESCRIPTIONS } from './generic-routes.ts';
import { apiSchemas } from './schemas/schemas.ts';

const PATHS = {
  basePath: '/api',
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

const routes = genericRoutes(PATHS);
const document = buildDocument({
  info: { title: 'T', version: '1', 'x-lintel-version': '1' },
  server: '/',
  routes,
  schemas: apiSchemas(),
  tagDescriptions: TAG_DESCRIPTIONS,
});

type Shared<T> = T | { readonly $ref: string };
interface Parameter {
  readonly name: string;
  readonly in: string;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Shared<Parameter>[];
  readonly responses: Readonly<Record<string, Shared<{ readonly description: string }>>>;
}

/** What a reference to `#/components/…` leads to. */
function resolved<T extends object>(value: Shared<T>): T {
  if (!('$ref' in value)) return value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  const components = document['components'] as Record<string, Record<string, T>>;
  const found = components[kind]?.[name];
  if (found === undefined) throw new Error(`${value.$ref} leads nowhere`);
  return found;
}

const operations = Object.entries(document['paths'] as Record<string, Record<string, Operation>>).flatMap(
  ([path, byMethod]) => Object.entries(byMethod).map(([method, operation]) => ({ path, method, operation })),
);

// Asserts contract/api-documents.md#generic.
test('every operation has its own id, a description of every answer and one of success', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(routes.length);
  for (const { operation } of operations) {
    expect(Object.keys(operation.responses).some((status) => /^[23]\d\d$/.test(status))).toBe(true);
    for (const response of Object.values(operation.responses)) expect(resolved(response).description).not.toBe('');
  }
});

test('the parameters of every path are described, and no others', () => {
  for (const { path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const described = (operation.parameters ?? []).map(resolved).filter((parameter) => parameter.in === 'path');
    expect(described.map(({ name }) => name).sort()).toEqual(inPath.sort());
  }
});

test('every reference leads to a schema', () => {
  const schemas = (document['components'] as { schemas: object }).schemas;
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(20);
  for (const [, name] of references) expect(Object.keys(schemas)).toContain(name);
});

// Asserts contract/conventions.md#endpoints.
test('configured paths are used', () => {
  expect(operations.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/api/entities/{entityName}/{entityId}', '/api/files', '/oauth/token', '/api/userInfo']),
  );
});

// Asserts contract/decisions.md#63, contract/metadata.md#metadata.
test('the list of entities is described as what it has: stored entities, embeddables and DTOs', () => {
  const list = operations.find(({ operation }) => operation.operationId === 'listEntityMetadata');
  expect(list?.operation.summary).toBe('All entities with their properties: stored ones, embeddables and DTOs');
});
