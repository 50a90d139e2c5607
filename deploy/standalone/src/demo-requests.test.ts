import { defineApplication, report } from '@lintel/application';
import { resourceRole } from '@lintel/security';
import { demoRequests } from './demo-requests.ts';

const reportFor = (code: string, roles?: readonly string[]) =>
  report({
    id: `5a0f6f0e-6a4f-4a52-9a07-0c3f6d1e7b2${code.length}`,
    code,
    name: code,
    restAccess: true,
    ...(roles !== undefined && { roles }),
    bands: [],
    templates: [{ code: 'DEFAULT', outputType: 'CSV', default: true, file: 'x.csv' }],
  });

test('a report is requested that the user of the request may run', () => {
  const application = defineApplication({
    id: 'shop',
    name: 'Shop',
    entities: [],
    roles: [
      resourceRole('clerk', { name: 'Clerk', policies: [] }),
      resourceRole('boss', { name: 'Boss', policies: [] }),
    ],
    reports: [reportFor('a', ['clerk']), reportFor('bb', ['boss']), reportFor('ccc')],
    demoData: {
      instances: [
        { entity: 'sec_User', values: { username: 'root', password: 'root', active: true } },
        ...['system-full-access', 'boss'].map((roleCode) => ({
          entity: 'sec_RoleAssignment',
          values: { username: 'root', roleCode, roleType: 'resource' },
        })),
      ],
    },
  });
  const client = { clientId: 'web', clientSecret: 'secret' };
  const requests = demoRequests(application, client, 'http://localhost', { entities: '/rest/entities' });
  expect(requests.at(-1)).toContain('/rest/reports/run/code/bb');
});
