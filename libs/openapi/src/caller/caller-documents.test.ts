import { defineApplication, loadQueries, predefinedQuery, restMethod, service, t } from '@lintel/application';
import {
  compositionOfMany,
  createMessages,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  integer,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import type { ReadAccess } from '@lintel/query';
import {
  buildAccess,
  entityPolicy,
  modifyAttributes,
  resourceRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';
import { createDocuments } from '../create-documents.ts';

const Colour = enumeration('t.Colour', { RED: 'R', HIDDENCOLOUR: 'H' });
const defined = defineApplication({
  id: 't',
  name: 'Things',
  enums: [Colour],
  entities: [
    standardEntity('t_Order', {
      attributes: {
        number: string(20).mandatory(),
        note: string(40),
        margin: integer(),
        colour: enumOf(Colour),
        customer: toOne('t_Customer').mandatory(),
        supplier: toOne('t_Supplier'),
        site: embedded('t_Site'),
        lines: compositionOfMany('t_Line', 'order'),
      },
      instanceName: ['{number}', ' ', '{margin}'],
    }),
    standardEntity('t_Line', { attributes: { order: toOne('t_Order'), count: integer() } }),
    standardEntity('t_Customer', { attributes: { name: string(20), hiddenMail: string(40) } }),
    standardEntity('t_Supplier', { attributes: { name: string(20) } }),
    embeddable('t_Site', { attributes: { city: string(20), street: string(20) } }),
  ],
  services: [service('t_Service', { take: restMethod({ params: { from: t.entity('t_Supplier') } }, () => null) })],
});
const application = await loadQueries(
  {
    ...defined,
    queries: [
      predefinedQuery('t_Order', 'byNumber', {
        text: 'select e from t_Order e where e.number = :number',
        fetchPlan: '_local',
        parameters: { number: 'string' },
      }),
      predefinedQuery('t_Order', 'byMargin', {
        text: 'select e from t_Order e where e.margin > 1',
        fetchPlan: '_local',
      }),
      predefinedQuery('t_Order', 'bySupplier', {
        text: "select e from t_Order e where e.supplier.name = 'A'",
        fetchPlan: '_local',
      }),
    ],
  },
  [],
  () => Promise.reject(new Error('no file')),
);
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

/** The document for the holder of a role with the policies. */
type Policies = Parameters<typeof resourceRole>[1]['policies'];
function documentFor(policies: Policies, mayUse: (path: string) => boolean = () => true) {
  const role = resourceRole('r', { name: 'R', policies: [...policies, specificPolicy('rest.enabled')] });
  const access = buildAccess(['r'], new Map([['r', role]]), { requireApiScope: true });
  const read: ReadAccess = {
    fingerprint: access.fingerprint,
    entity: (name) => ({
      canRead: access.allows(name, 'read'),
      mayView: (attribute) => access.mayView(name, attribute),
      rows: undefined,
      predicates: [],
    }),
  };
  const documents = createDocuments(
    { application, paths: PATHS, isDemo: true, caller: { access, read, mayUse } },
    application.model,
    createMessages([{ locale: '', texts: {} }]),
    'en',
  );
  const { text } = documents.openapiDetailed['3.1'].json();
  // biome-ignore lint/suspicious/noExplicitAny: a document has every shape
  const document: any = JSON.parse(text);
  return { text, generic: documents.openapi['3.1'].json().text, document, schemas: document.components.schemas };
}

const CLERK = [
  entityPolicy('t_Order', 'read', 'create'),
  entityPolicy('t_Customer', 'read'),
  entityPolicy('t_Site', 'read'),
  viewAttributes('t_Order', 'number', 'site'),
  modifyAttributes('t_Order', 'note', 'customer', 'supplier'),
  viewAttributes('t_Customer', 'name'),
  viewAttributes('t_Site', 'city'),
];
const clerk = documentFor(CLERK);

test('only operations are there that the caller may call', () => {
  const { paths } = clerk.document;
  expect(Object.keys(paths['/api/entities/t_Order'])).toEqual(['get', 'post']);
  expect(Object.keys(paths['/api/entities/t_Order/{entityId}'])).toEqual(['get']);
  expect(Object.keys(paths['/api/entities/t_Customer'])).toEqual(['get']);
  expect(paths['/api/entities/t_Line']).toBeUndefined();
  expect(paths['/api/entities/{entityName}/{entityId}'].put).toBeUndefined();
  expect(paths['/api/files']).toBeUndefined();
});

test('attributes are there that the caller may view or modify; those of the first kind alone are read-only', () => {
  const { properties } = clerk.schemas.entity_t_Order;
  expect(Object.keys(properties)).toEqual(
    expect.arrayContaining(['id', '_entityName', 'number', 'note', 'customer', 'supplier', 'site']),
  );
  expect([properties.number.readOnly, properties.note.readOnly, properties.customer.readOnly]).toEqual([
    true,
    undefined,
    undefined,
  ]);
  expect(Object.keys(clerk.schemas.entity_t_Site.properties)).toEqual(['_entityName', 'city']);
  expect(Object.keys(clerk.schemas.entity_t_Customer.properties)).not.toContain('hiddenMail');
});

test('a reference that may be written to an entity without any right is to any instance', () => {
  expect(clerk.schemas.entity_t_Order.properties.supplier).toMatchObject({
    anyOf: [{ $ref: '#/components/schemas/Entity' }, { type: 'null' }],
  });
});

test('queries are there whose text names nothing that is hidden', () => {
  const paths = Object.keys(clerk.document.paths).filter((path) => path.startsWith('/api/queries/t_Order/'));
  expect(paths).toEqual(['/api/queries/t_Order/byNumber', '/api/queries/t_Order/byNumber/count']);
});

// Asserts contract/api-documents.md#for-me.
test.each([
  't_Supplier',
  't_Line',
  'margin',
  'street',
  'hiddenMail',
  'HIDDENCOLOUR',
  'byMargin',
  'bySupplier',
  'sys_Webhook',
])('the name %s, which is hidden from the caller, is in neither document', (name) => {
  expect(documentFor([entityPolicy('*', 'read', 'create'), viewAttributes('*', '*')]).text).toContain(name);
  expect(clerk.text).not.toContain(name);
  expect(clerk.generic).not.toContain(name);
});

test('an instance name that hidden attributes are part of does not list them', () => {
  expect(clerk.schemas.entity_t_Order.properties._instanceName.default).toBeUndefined();
});

test('who may only create an entity sees what may be sent', () => {
  const { schemas, document } = documentFor([
    entityPolicy('t_Order', 'create'),
    modifyAttributes('t_Order', 'note'),
    viewAttributes('t_Order', 'number'),
  ]);
  expect(Object.keys(document.paths['/api/entities/t_Order'])).toEqual(['post']);
  expect(Object.keys(schemas.entity_t_Order.properties)).toContain('note');
  expect(Object.keys(schemas.entity_t_Order.properties)).not.toContain('number');
});

test('without the right to use the API there are only paths that need none', () => {
  const { document, schemas } = documentFor(CLERK, (path) => path === '/api/version');
  expect(Object.keys(document.paths).filter((path) => path.startsWith('/api'))).toEqual(['/api/version']);
  expect(Object.keys(schemas).filter((name) => name.startsWith('entity_'))).toEqual([]);
});
