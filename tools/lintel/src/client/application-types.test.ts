import { applicationTypes } from './application-types.ts';

type Parts = Parameters<typeof applicationTypes>[0];

test('a client knows all paths that the application configures', () => {
  const nothing = new Map();
  const model = { entities: nothing, enums: nothing, fetchPlans: nothing };
  const application = { name: 'x', model, predefinedQueries: nothing, restServices: nothing } as unknown as Parts;
  const source = applicationTypes(application, {
    basePath: '/api',
    entitiesPath: '/e',
    queriesPath: '/q',
    servicesPath: '/s',
    changesPath: '/c',
    filesPath: '/f',
    metadataPath: '/md',
    messagesPath: '/m',
    permissionsPath: '/p',
    userInfoPath: '/me',
    userSessionPath: '/us',
    ticketsPath: '/tickets',
  });
  expect(
    Object.fromEntries([...source.matchAll(/^ {4}(\w+): '(.*)',$/gm)].map(([, name, path]) => [name, path])),
  ).toEqual({
    base: '/api',
    entities: '/api/e',
    queries: '/api/q',
    services: '/api/s',
    changes: '/api/c',
    files: '/api/f',
    metadata: '/api/md',
    messages: '/api/m',
    permissions: '/api/p',
    userInfo: '/api/me',
    userSession: '/api/us',
    tickets: '/api/tickets',
  });
});
