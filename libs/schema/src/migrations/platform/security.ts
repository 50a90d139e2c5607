import { AUDIT_COLUMNS } from './fragments.ts';

const elementsOf = (table: string): string => `(
        SELECT coalesce(jsonb_agg(e.value ORDER BY e.position), '[]'::jsonb)
        FROM sec.${table} e WHERE e.resource_role_id = r.id)`;

/**
 * Users, role assignments and the roles that administrators store, as entities of `sec` describe them, so that the auth
 * service can rely on them with any application. Services read the roles from a view of one row, whose version is the
 * same as long as the roles are.
 */
export const SECURITY: readonly string[] = [
  'CREATE SCHEMA IF NOT EXISTS sec',
  `CREATE TABLE sec."user" (
  id uuid NOT NULL,${AUDIT_COLUMNS}
  username varchar(255) NOT NULL,
  password varchar(255),
  first_name varchar(255),
  last_name varchar(255),
  email varchar(255),
  active boolean,
  locale varchar(20),
  time_zone_id varchar(50),
  country varchar(2),
  CONSTRAINT pk_user PRIMARY KEY (id)
)`,
  'CREATE UNIQUE INDEX uq_user__username ON sec."user" (username)',
  `CREATE TABLE sec.role_assignment (
  id uuid NOT NULL,${AUDIT_COLUMNS}
  username varchar(255) NOT NULL,
  role_code varchar(255) NOT NULL,
  role_type varchar(20) NOT NULL,
  CONSTRAINT pk_role_assignment PRIMARY KEY (id)
)`,
  `CREATE UNIQUE INDEX uq_role_assignment__username__role_code__role_type
ON sec.role_assignment (username, role_code, role_type)`,
  // Only while the hash is still the one that was verified: a password changed meanwhile wins. The
  // version stays, because nothing that an editor of the user sees has changed.
  `CREATE FUNCTION sec.replace_password_hash("user" uuid, old text, new text) RETURNS boolean
LANGUAGE sql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog
AS $$
  WITH replaced AS (UPDATE sec."user" SET password = $3 WHERE id = $1 AND password = $2 RETURNING 1)
  SELECT EXISTS (SELECT FROM replaced)
$$`,
  `CREATE TABLE sec.federated_assignment (
  assignment_id uuid NOT NULL,
  source text NOT NULL,
  CONSTRAINT pk_federated_assignment PRIMARY KEY (assignment_id, source),
  CONSTRAINT fk_federated_assignment__assignment FOREIGN KEY (assignment_id)
    REFERENCES sec.role_assignment (id) ON DELETE CASCADE
)`,
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
];
