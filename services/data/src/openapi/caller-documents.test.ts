import { defineApplication } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import { createMessages, standardEntity, string } from '@lintel/metadata';
import { buildAccess, entityPolicy, resourceRole, specificPolicy, viewAttributes } from '@lintel/security';
import { createCallerDocuments } from './caller-documents.ts';

const application = defineApplication({
  id: 't',
  name: 'Things',
  entities: [standardEntity('t_Thing', { attributes: { name: string(20) } })],
});
const role = resourceRole('r', {
  name: 'R',
  policies: [entityPolicy('t_Thing', 'read'), viewAttributes('t_Thing', '*'), specificPolicy('rest.enabled')],
});
const roles = new Map([['r', role]]);
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
const documents = createCallerDocuments({
  documents: { application, paths: PATHS, isDemo: false },
  currentModel: async () => application.model,
  currentMessages: () => createMessages([{ locale: '', texts: {} }]),
  accessOf: ({ resourceRoles }) => {
    const access = buildAccess(resourceRoles, roles, { requireApiScope: true });
    return {
      access,
      read: {
        fingerprint: access.fingerprint,
        entity: (name) => ({
          canRead: access.allows(name, 'read'),
          mayView: (attribute) => access.mayView(name, attribute),
          rows: undefined,
          predicates: [],
        }),
      },
    };
  },
  pathTests: { isAnonymous: (path) => path === '/rest/version', isOpenToEveryUser: () => false },
});
const caller = (username: string, kind: Principal['kind'], resourceRoles: readonly string[]): Principal =>
  ({ username, kind, resourceRoles, rowLevelRoles: [] }) as unknown as Principal;
const find = (principal: Principal, locale = 'en', openapi: '3.0' | '3.1' = '3.1') =>
  documents.find('openapiDetailed', principal, locale, { openapi, isForCaller: true });
const ann = caller('ann', 'user', ['r']);

// Asserts contract/api-documents.md#for-me.
test('callers with equal rights share a document, which is created once', async () => {
  const first = await find(ann);
  expect(await find(caller('bob', 'user', ['r', 'unknown']))).toBe(first);
  expect(documents.cache.statistics()).toMatchObject({ hits: 1, misses: 1 });
});

test.each([
  ['other rights', caller('eve', 'user', []), 'en', '3.1'],
  ['no token', caller('anonymous', 'anonymous', ['r']), 'en', '3.1'],
  ['another locale', ann, 'de', '3.1'],
  ['another version of OpenAPI', ann, 'en', '3.0'],
] as const)('%s is another document', async (_name, principal, locale, openapi) => {
  expect(await find(principal, locale, openapi)).not.toBe(await find(ann));
});

test('without a token only what anonymous patterns open is there', async () => {
  const { paths } = JSON.parse((await find(caller('anonymous', 'anonymous', ['r']))).json().text);
  expect(Object.keys(paths).filter((path) => path.startsWith('/rest'))).toEqual(['/rest/version']);
  expect(Object.keys(paths)).not.toContain('/oauth2/userinfo');
});

test('what is outside of the API needs a token alone', async () => {
  const { paths } = JSON.parse((await find(caller('eve', 'user', []))).json().text);
  expect(Object.keys(paths)).toContain('/oauth2/userinfo');
  expect(Object.keys(paths)).not.toContain('/rest/userInfo');
});
