import type { ModelPlan } from '../introspect/plan/model-plan.ts';
import { writeModel } from '../introspect/write-model.ts';

/** What names the files of a served application. */
export interface ServedNames {
  /** Id of the application, and name of its package. */
  readonly id: string;
  /** For people. */
  readonly name: string;
}

/** The files of an application that serves existing tables: texts by path. Pure. */
export function servedApplication(plan: ModelPlan, { id, name }: ServedNames): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [file, text] of writeModel(plan)) files.set(`src/entities/${file}`, text);
  files.set('src/index.ts', indexText(id, name));
  files.set('src/roles.ts', ROLES);
  files.set('package.json', `${JSON.stringify(packageOf(id, name), null, 2)}\n`);
  files.set('.gitignore', '.lintel/\nnode_modules/\n');
  return files;
}

const packageOf = (id: string, name: string): object => ({
  name: id,
  version: '0.1.0',
  private: true,
  description: name,
  type: 'module',
  exports: './src/index.ts',
  scripts: { start: 'lintel serve' },
});

const ROLES = `import { entityPolicy, resourceRole, viewAttributes } from '@lintel/security';
import { ENTITIES } from './entities/index.ts';

/** May read every row of every table. Give your own roles less: see the guide on applications. */
export const reader = resourceRole('reader', {
  name: 'Reader',
  policies: ENTITIES.flatMap(({ name }) => [entityPolicy(name, 'read'), viewAttributes(name, '*')]),
});
`;

const indexText = (id: string, name: string): string => `import { defineApplication } from '@lintel/application';
import { ENTITIES, ENUMS } from './entities/index.ts';
import { reader } from './roles.ts';

const user = (username: string, ...roles: readonly string[]) => [
  { entity: 'sec_User', values: { username, password: username, active: true } },
  ...roles.map((roleCode) => ({
    entity: 'sec_RoleAssignment',
    values: { username, roleCode, roleType: 'resource' },
  })),
];

export default defineApplication({
  id: '${id}',
  name: '${name}',
  entities: ENTITIES,
  enums: ENUMS,
  roles: [reader],
  // For this machine only; the password of each user is the user name.
  demoData: { instances: [...user('admin', 'system-full-access'), ...user('reader', 'rest-minimal', 'reader')] },
  properties: {
    'svc.authserver.client.web.client-id': 'web',
    'svc.authserver.client.web.client-secret': 'secret',
    'svc.authserver.client.web.grant-types': 'password,refresh_token',
  },
});
`;
