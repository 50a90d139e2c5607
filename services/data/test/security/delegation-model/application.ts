import { defineApplication } from '@lintel/application';
import { compositionOfOne, standardEntity, string, toOne } from '@lintel/metadata';
import {
  entityPolicy,
  modifyAttributes,
  queryPolicy,
  requireAcr,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';

/** Entities whose rows are identities and rights, and one with such a part. */
export const BOUND = [
  'sec_User',
  'sec_RoleAssignment',
  'sec_ResourceRole',
  'sec_ResourcePolicy',
  'sec_RowLevelRole',
  'sec_RowLevelPolicy',
  't_Employee',
] as const;
export const DATA = ['t_Document', 't_Note'] as const;
export const ENTITIES: readonly string[] = [...BOUND, ...DATA];
export const ACTIONS = ['create', 'read', 'update', 'delete'] as const;
export const SPECIFICS = [
  'rest.enabled',
  'passwords.manage',
  'second-factors.manage',
  'sessions.manage',
  'sessions.see-as',
  'api-keys.manage',
  'api-keys.create',
  'clients.manage',
  'rights.preview',
  'reports.sql.edit',
] as const;

const writer = (entity: string) =>
  resourceRole(`writes-${entity}`, {
    name: `Writes ${entity}`,
    policies: [entityPolicy(entity, 'all'), modifyAttributes(entity, '*')],
  });
const manager = (name: string) => resourceRole(`has-${name}`, { name, policies: [specificPolicy(name)] });

/** Roles of code: a lattice of rights to administer, and of rights on data. */
const ROLES = [
  ...BOUND.map(writer),
  ...SPECIFICS.filter((name) => name !== 'rest.enabled').map(manager),
  ...DATA.flatMap((entity) => [
    resourceRole(`reads-${entity}`, {
      name: 'R',
      policies: [entityPolicy(entity, 'read'), viewAttributes(entity, '*')],
    }),
    resourceRole(`deletes-${entity}`, { name: 'D', policies: [entityPolicy(entity, 'read', 'delete')] }),
  ]),
  resourceRole('administers', {
    name: 'Administers users and roles',
    policies: [],
    childRoles: [...BOUND.map((entity) => `writes-${entity}`), 'has-passwords.manage', 'has-sessions.manage'],
  }),
  resourceRole('chief', {
    name: 'Chief',
    policies: [],
    childRoles: ['deletes-t_Document', 'reads-t_Note', 'has-reports.sql.edit'],
  }),
  // With a second factor alone, which callers do not have.
  resourceRole('careful', {
    name: 'Careful',
    policies: requireAcr(
      'urn:lintel:acr:2fa',
      entityPolicy('t_Document', 'delete'),
      specificPolicy('reports.sql.edit'),
    ),
  }),
  resourceRole('everything-of-documents', {
    name: 'Everything of documents',
    policies: [entityPolicy('t_Document', 'all'), modifyAttributes('t_Document', '*')],
  }),
];

export const application = defineApplication({
  id: 't',
  name: 'Model of delegation',
  entities: [
    standardEntity('t_Document', { attributes: { title: string(100) } }),
    standardEntity('t_Note', { attributes: { text: string(100), document: toOne('t_Document') } }),
    standardEntity('t_Employee', { attributes: { name: string(100), account: compositionOfOne('sec_User') } }),
  ],
  roles: ROLES,
  rowLevelRoles: [
    rowLevelRole('own-documents', {
      name: 'Own documents',
      policies: [queryPolicy('t_Document', '{E}.createdBy = :current_user_username')],
    }),
    rowLevelRole('own-country', {
      name: 'Documents of the own country',
      policies: [queryPolicy('t_Document', '{E}.title = :current_user_country')],
    }),
    rowLevelRole('no-notes', { name: 'No notes', policies: [queryPolicy('t_Note', '1 = 0')] }),
  ],
});

export const ROLE_CODES = ROLES.map(({ code }) => code);
export const ROW_CODES = ['own-documents', 'own-country', 'no-notes'] as const;
