import type { SchemaMigration } from '../schema-migration.ts';
import { AUDIT_COLUMNS, createRole, grantTo, READER } from './fragments.ts';

/**
 * Users and role assignments, as the entities `sec_User` and `sec_RoleAssignment` describe them, so that
 * the auth service can rely on them with any application. A login of the auth service that is in
 * the role `lintel_sec_reader` reads them, and can replace a password's hash, but nothing else.
 */
export const SECURITY_MIGRATION: SchemaMigration = {
  name: '1763683200001-platform-security',
  up: [
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
    'REVOKE ALL ON FUNCTION sec.replace_password_hash(uuid, text, text) FROM PUBLIC',
    createRole(READER),
    grantTo(READER, [
      'USAGE ON SCHEMA sec',
      'SELECT ON sec."user", sec.role_assignment',
      'EXECUTE ON FUNCTION sec.replace_password_hash(uuid, text, text)',
    ]),
  ],
  // Roles belong to the whole cluster and stay: other databases may use them.
  down: [
    'DROP FUNCTION sec.replace_password_hash(uuid, text, text)',
    'DROP TABLE sec.role_assignment',
    'DROP TABLE sec."user"',
    'DROP SCHEMA sec',
  ],
};
