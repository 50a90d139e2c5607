import type { SchemaMigration } from '../schema-migration.ts';
import { AUDIT_COLUMNS, grantTo, READER } from './fragments.ts';

const elementsOf = (table: string): string => `(
        SELECT coalesce(jsonb_agg(e.value ORDER BY e.position), '[]'::jsonb)
        FROM sec.${table} e WHERE e.resource_role_id = r.id)`;

/**
 * Roles that administrators store in the database, as the entities `sec_ResourceRole` and `sec_RowLevelRole` describe
 * them, and the view that every service reads them from: one row, whose version is the same as long as the roles are.
 */
export const ROLES_MIGRATION: SchemaMigration = {
  name: '1763683200005-platform-roles',
  up: [
    `CREATE TABLE sec.resource_role (
  id uuid NOT NULL,${AUDIT_COLUMNS}
  name varchar(255) NOT NULL,
  code varchar(255) NOT NULL,
  description text,
  CONSTRAINT pk_resource_role PRIMARY KEY (id)
)`,
    'CREATE UNIQUE INDEX uq_resource_role__code ON sec.resource_role (code)',
    ...(['scopes', 'child_roles'] as const).map(
      (name) => `CREATE TABLE sec.resource_role_${name} (
  resource_role_id uuid NOT NULL,
  position integer NOT NULL,
  value varchar(${name === 'scopes' ? 10 : 255}) NOT NULL,
  CONSTRAINT pk_resource_role_${name} PRIMARY KEY (resource_role_id, position),
  CONSTRAINT fk_resource_role_${name}__resource_role_id FOREIGN KEY (resource_role_id)
    REFERENCES sec.resource_role (id) ON DELETE CASCADE
)`,
    ),
    `CREATE TABLE sec.resource_policy (
  id uuid NOT NULL,${AUDIT_COLUMNS}
  role_id uuid NOT NULL,
  type varchar(30) NOT NULL,
  policy_group varchar(255),
  resource varchar(500) NOT NULL,
  action varchar(30) NOT NULL,
  effect varchar(10) NOT NULL,
  CONSTRAINT pk_resource_policy PRIMARY KEY (id),
  CONSTRAINT fk_resource_policy__role_id FOREIGN KEY (role_id) REFERENCES sec.resource_role (id)
)`,
    'CREATE INDEX ix_resource_policy__role_id ON sec.resource_policy (role_id)',
    `CREATE TABLE sec.row_level_role (
  id uuid NOT NULL,${AUDIT_COLUMNS}
  name varchar(255) NOT NULL,
  code varchar(255) NOT NULL,
  description text,
  CONSTRAINT pk_row_level_role PRIMARY KEY (id)
)`,
    'CREATE UNIQUE INDEX uq_row_level_role__code ON sec.row_level_role (code)',
    `CREATE TABLE sec.row_level_policy (
  id uuid NOT NULL,${AUDIT_COLUMNS}
  role_id uuid NOT NULL,
  type varchar(30) NOT NULL,
  entity_name varchar(255) NOT NULL,
  action varchar(100) NOT NULL,
  where_clause text,
  join_clause text,
  script text,
  CONSTRAINT pk_row_level_policy PRIMARY KEY (id),
  CONSTRAINT fk_row_level_policy__role_id FOREIGN KEY (role_id) REFERENCES sec.row_level_role (id)
)`,
    'CREATE INDEX ix_row_level_policy__role_id ON sec.row_level_policy (role_id)',
    `CREATE VIEW sec.role_snapshot AS
SELECT md5(s.body::text) AS version, s.body
FROM (
  SELECT jsonb_build_object(
    'resourceRoles', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'code', r.code,
        'name', r.name,
        'description', r.description,
        'scopes', ${elementsOf('resource_role_scopes')},
        'childRoles', ${elementsOf('resource_role_child_roles')},
        'policies', (
          SELECT coalesce(jsonb_agg(jsonb_build_object(
            'type', p.type, 'resource', p.resource, 'action', p.action, 'effect', p.effect
          ) ORDER BY p.id), '[]'::jsonb)
          FROM sec.resource_policy p WHERE p.role_id = r.id)
      ) ORDER BY r.code), '[]'::jsonb)
      FROM sec.resource_role r),
    'rowLevelRoles', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'code', r.code,
        'name', r.name,
        'policies', (
          SELECT coalesce(jsonb_agg(jsonb_build_object(
            'type', p.type, 'entityName', p.entity_name, 'action', p.action,
            'whereClause', p.where_clause, 'joinClause', p.join_clause, 'script', p.script
          ) ORDER BY p.id), '[]'::jsonb)
          FROM sec.row_level_policy p WHERE p.role_id = r.id)
      ) ORDER BY r.code), '[]'::jsonb)
      FROM sec.row_level_role r)
  ) AS body
) s`,
    grantTo(READER, ['SELECT ON sec.role_snapshot']),
  ],
  down: [
    'DROP VIEW sec.role_snapshot',
    'DROP TABLE sec.row_level_policy',
    'DROP TABLE sec.row_level_role',
    'DROP TABLE sec.resource_policy',
    'DROP TABLE sec.resource_role_child_roles',
    'DROP TABLE sec.resource_role_scopes',
    'DROP TABLE sec.resource_role',
  ],
};
