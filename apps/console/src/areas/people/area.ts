import { IconUsers } from '@tabler/icons-react';
import { defineArea } from '../area.ts';
import { peoplePages } from './people-pages.ts';

/** Users, their roles and sessions; roles and rules; clients. */
export const peopleArea = defineArea({
  name: 'people',
  icon: IconUsers,
  isShown: ({ rights }) => peoplePages(rights).length > 0,
  pages: [
    { path: '/', load: async () => (await import('./people-page.tsx')).PeoplePage },
    { path: 'users', load: async () => (await import('./users/users-page.tsx')).UsersPage },
    { path: 'users/$username', load: async () => (await import('./users/user-page.tsx')).UserPage },
    { path: 'roles', load: async () => (await import('./roles/roles-page.tsx')).RolesPage },
    { path: 'roles/$code', load: async () => (await import('./roles/role-page.tsx')).RolePage },
    { path: 'rules/$code', load: async () => (await import('./rules/rule-page.tsx')).RulePage },
    { path: 'explain', load: async () => (await import('./explain-page.tsx')).ExplainPage },
    { path: 'clients', load: async () => (await import('./clients/clients-page.tsx')).ClientsPage },
  ],
  navigation: async () => (await import('./people-navigation.tsx')).PeopleNavigation,
});
