import type { SchemaMigration } from '../schema-migration.ts';

/** Attempts to log in of users that exist; auth removes them after `svc.authserver.login-history`. */
export const LOGIN_HISTORY_MIGRATION: SchemaMigration = {
  name: '1763683200021-platform-login-history',
  up: [
    `CREATE TABLE auth.login_attempt (
  id bigint GENERATED ALWAYS AS IDENTITY,
  username text NOT NULL,
  outcome text NOT NULL,
  client_id text NOT NULL,
  address text NOT NULL,
  attempted_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_login_attempt PRIMARY KEY (id)
)`,
    'CREATE INDEX ix_login_attempt__username ON auth.login_attempt (username, id DESC)',
    'CREATE INDEX ix_login_attempt__attempted_at ON auth.login_attempt (attempted_at)',
  ],
  down: ['DROP TABLE auth.login_attempt'],
};
