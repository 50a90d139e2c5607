import type { DemoData } from '@lintel/application';

const user = (username: string, ...roles: readonly string[]): DemoData['instances'] => [
  { entity: 'sec_User', values: { username, password: username, active: true } },
  ...roles.map((roleCode) => ({
    entity: 'sec_RoleAssignment',
    values: { username, roleCode, roleType: 'resource' },
  })),
];

/** Loaded by `npm start` into an empty database; `SVC_DEMO_ENABLED=false` leaves it out. */
export const DEMO_DATA: DemoData = {
  instances: [
    ...user('admin', 'system-full-access'),
    ...user('clerk', 'rest-minimal', 'clerk'),
    {
      entity: 'sample_Customer',
      values: {
        id: '01890000-0000-7000-8000-000000000001',
        name: 'Ada Wright',
        email: 'ada@example.com',
        city: 'Berlin',
      },
    },
    {
      entity: 'sample_Customer',
      values: {
        id: '01890000-0000-7000-8000-000000000002',
        name: 'Ben Okafor',
        email: 'ben@example.com',
        city: 'Lagos',
      },
    },
  ],
};
