/** Columns of an instance that is versioned and audited. */
export const AUDIT_COLUMNS = `
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),`;

/** Who reads, beside the owner, what all services share: users, roles and texts. */
export const READER = 'lintel_sec_reader';

/** Grants what follows where the role is there; run again by hand after an administrator made it. */
export const grantTo = (role: string, grants: readonly string[]): string => `DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
${grants.map((grant) => `    GRANT ${grant} TO ${role};`).join('\n')}
  END IF;
END $$`;
