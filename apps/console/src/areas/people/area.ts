import { IconUsers } from '@tabler/icons-react';
import { defineArea, menuCommands } from '../../shell/area.ts';
import { peoplePages } from './people-pages.ts';

// One chunk for all pages: each further one makes the first load longer.
const pages = () => import('./pages.ts');
const menu = async () =>
  (await import('../../shell/area-menu.tsx')).menuOf({ area: 'people', menu: peoplePages, partOf: { rules: 'roles' } });

/** Users, their roles and sessions; roles and rules; clients. */
export const peopleArea = defineArea({
  name: 'people',
  icon: IconUsers,
  isShown: (model) => peoplePages(model).length > 0,
  pages: [
    { path: '/', load: async () => (await menu()).firstPage },
    { path: 'account', load: async () => (await pages()).AccountPage },
    { path: 'users', load: async () => (await pages()).UsersPage },
    { path: 'users/$username', load: async () => (await pages()).UserPage },
    { path: 'roles', load: async () => (await pages()).RolesPage },
    { path: 'roles/$code', load: async () => (await pages()).RolePage },
    { path: 'rules/$code', load: async () => (await pages()).RulePage },
    { path: 'explain', load: async () => (await pages()).ExplainPage },
    { path: 'clients', load: async () => (await pages()).ClientsPage },
    { path: 'logins', load: async () => (await pages()).LoginsPage },
    { path: 'providers', load: async () => (await pages()).ProvidersPage },
    { path: 'clients/$clientId', load: async () => (await pages()).ClientPage },
  ],
  commands: (model) => menuCommands('people', peoplePages(model)),
  navigation: async () => (await menu()).navigation,
});
