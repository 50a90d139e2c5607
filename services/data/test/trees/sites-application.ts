import { defineApplication } from '@lintel/application';
import {
  integer,
  keyedEntity,
  manyToMany,
  softDeletedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
} from '@lintel/metadata';
import { entityPolicy, queryPolicy, resourceRole, rowLevelRole, viewAttributes } from '@lintel/security';

/** Items at the sites of a tree, a part of which row rules may hide; units are a tree with numbers as keys. */
export const sites = defineApplication({
  id: 'l',
  name: 'Sites',
  entities: [
    softDeletedEntity('l_Site', {
      attributes: { name: string(50), parent: toOne('l_Site').tree(), children: toMany('l_Site', 'parent') },
      instanceName: ['name'],
    }),
    standardEntity('l_Item', {
      attributes: { name: string(50), site: toOne('l_Site'), seenAt: manyToMany('l_Site') },
      instanceName: ['name'],
    }),
    keyedEntity('l_Unit', {
      key: 'number',
      attributes: { number: integer(), whole: toOne('l_Unit').tree() },
      traits: {},
    }),
  ],
  roles: [
    resourceRole('without-parents', {
      name: 'Without parents',
      childRoles: ['rest-minimal'],
      policies: [
        ...['l_Site', 'l_Item'].map((entity) => entityPolicy(entity, 'read')),
        viewAttributes('l_Site', 'name'),
        viewAttributes('l_Item', 'name', 'site'),
      ],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('branch', {
      name: 'Items of the branch that has the name of the user',
      policies: [
        queryPolicy(
          'l_Item',
          'exists (select p from l_Site p where p.name = :current_user_username and @under({E}.site, p))',
        ),
      ],
    }),
    rowLevelRole('branch-by-instance', {
      name: 'Sites above and below one',
      policies: [
        queryPolicy(
          'l_Site',
          "exists (select p from l_Site p where p.name = 'p3' and (@under({E}, p) or @above({E}, p)))",
        ),
      ],
    }),
    rowLevelRole('branch-by-key', {
      name: 'Items of one branch',
      policies: [queryPolicy('l_Item', "@under({E}.site.id, '00000001-0000-4000-8000-000000000001')")],
    }),
    rowLevelRole('shown', { name: 'Shown sites', policies: [queryPolicy('l_Site', "{E}.name not like 'hidden%'")] }),
  ],
});
