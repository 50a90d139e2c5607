/** Columns of an instance that is versioned and audited. */
export const AUDIT_COLUMNS = `
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),`;

/** Columns of an instance that is marked instead of removed. */
export const DELETION_COLUMNS = `
  deleted_date timestamp(3),
  deleted_by varchar(255),`;

/** The role that, besides the owner, may read the data shared by all services: users, roles and texts. */
export const READER = 'lintel_sec_reader';

/** The role that may create users of identity providers and assign their roles: the login of the auth service. */
export const FEDERATION = 'lintel_federation';

/** Who runs reports: the login of the reports service. */
export const REPORT_RUNNER = 'lintel_report_runner';

/** The group role of logins that run the SQL data sets of reports. */
export const REPORT_READER = 'lintel_report_reader';

/** Creates a group role if the migrating user has the right; otherwise an administrator creates it. */
export const createRole = (role: string): string => `DO $$
BEGIN
  CREATE ROLE ${role} NOLOGIN;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
  WHEN insufficient_privilege THEN RAISE NOTICE 'role ${role} was not created: no privilege';
END $$`;

/** Grants the given rights if the role exists; runs again with `lintel migrate run` after an administrator has created it. */
export const grantTo = (role: string, grants: readonly string[]): string => `DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
${grants.map((grant) => `    GRANT ${grant} TO ${role};`).join('\n')}
  END IF;
END $$`;

/** Whether a statement creates a group role or grants its rights; these may run again. */
export const isForGroup = (statement: string): boolean =>
  /^DO \$\$\nBEGIN\n {2}(CREATE ROLE|IF EXISTS \(SELECT FROM pg_roles)/.test(statement);

/** The group roles of logins. */
export const GROUPS_OF_LOGINS = [READER, FEDERATION, REPORT_RUNNER, REPORT_READER];

/** Query of the group roles that exist and have their rights. */
export const GRANTED_GROUPS = `SELECT FROM pg_roles WHERE rolname = '${REPORT_READER}'
  OR rolname IN ('${READER}', '${FEDERATION}') AND has_schema_privilege(oid, 'sec', 'USAGE')
  OR rolname = '${REPORT_RUNNER}' AND has_schema_privilege(oid, 'report_run', 'USAGE')`;
