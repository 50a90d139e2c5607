import { entityPolicy, modifyAttributes, resourceRole } from '@lintel/security';

/** Nothing is permitted unless a role grants it. Users also need `rest-minimal` to call the API. */
export const clerk = resourceRole('clerk', {
  name: 'Clerk',
  policies: [entityPolicy('sample_Customer', 'read', 'create', 'update'), modifyAttributes('sample_Customer', '*')],
});
