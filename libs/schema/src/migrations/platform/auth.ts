/**
 * Data of the auth service: grants, refresh tokens, clients, signing keys, logins at identity providers, passwords and
 * second factors (secrets encrypted, keys and codes as digests), users and groups of SCIM, security events. The id of a
 * user is never used again. `configured_client` has the clients of the configuration, which auth writes when it starts.
 */
export const AUTH: readonly string[] = [
  'CREATE SCHEMA IF NOT EXISTS auth',
  `CREATE TABLE auth.oidc_model (
  model text NOT NULL,
  id text NOT NULL,
  payload jsonb NOT NULL,
  expires_at timestamptz(3),
  grant_id text,
  uid text,
  user_code text,
  CONSTRAINT pk_oidc_model PRIMARY KEY (model, id)
)`,
  'CREATE INDEX ix_oidc_model__grant_id ON auth.oidc_model (grant_id) WHERE grant_id IS NOT NULL',
  'CREATE INDEX ix_oidc_model__uid ON auth.oidc_model (model, uid) WHERE uid IS NOT NULL',
  'CREATE INDEX ix_oidc_model__user_code ON auth.oidc_model (model, user_code) WHERE user_code IS NOT NULL',
  'CREATE INDEX ix_oidc_model__expires_at ON auth.oidc_model (expires_at) WHERE expires_at IS NOT NULL',
  `CREATE TABLE auth.signing_key (
  kid text NOT NULL,
  algorithm text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_jwk_encrypted bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  retired_at timestamptz(3),
  CONSTRAINT pk_signing_key PRIMARY KEY (kid)
)`,
  `CREATE TABLE auth.federated_user (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_federated_user PRIMARY KEY (issuer, subject)
)`,
  'CREATE UNIQUE INDEX uq_federated_user__user_id ON auth.federated_user (user_id, issuer)',
  `CREATE TABLE auth.federated_login (
  id text NOT NULL,
  provider text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  sid text,
  username text NOT NULL,
  refresh_token_encrypted bytea,
  newest_issued_at bigint NOT NULL DEFAULT 0,
  checked_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT pk_federated_login PRIMARY KEY (id)
)`,
  'CREATE INDEX ix_federated_login__subject ON auth.federated_login (issuer, subject)',
  'CREATE INDEX ix_federated_login__sid ON auth.federated_login (issuer, sid) WHERE sid IS NOT NULL',
  'CREATE INDEX ix_federated_login__expires_at ON auth.federated_login (expires_at)',
  `CREATE TABLE auth.federated_grant (
  grant_id text NOT NULL,
  login_id text NOT NULL,
  CONSTRAINT pk_federated_grant PRIMARY KEY (grant_id),
  CONSTRAINT fk_federated_grant__login FOREIGN KEY (login_id) REFERENCES auth.federated_login (id) ON DELETE CASCADE
)`,
  'CREATE INDEX ix_federated_grant__login_id ON auth.federated_grant (login_id)',
  `CREATE TABLE auth.login_attempt (
  id bigint GENERATED ALWAYS AS IDENTITY,
  username text NOT NULL,
  outcome text NOT NULL,
  client_id text NOT NULL,
  address text,
  attempted_at timestamptz(3) NOT NULL DEFAULT now(),
  method text NOT NULL DEFAULT 'password',
  provider text,
  CONSTRAINT pk_login_attempt PRIMARY KEY (id)
)`,
  'CREATE INDEX ix_login_attempt__username ON auth.login_attempt (username, id DESC)',
  'CREATE INDEX ix_login_attempt__attempted_at ON auth.login_attempt (attempted_at)',
  `CREATE TABLE auth.client (
  client_id text NOT NULL,
  metadata jsonb NOT NULL,
  enabled boolean NOT NULL,
  expires_at timestamptz(3),
  registration_token_hash text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  CONSTRAINT pk_client PRIMARY KEY (client_id)
)`,
  'CREATE INDEX ix_client__updated_at ON auth.client (updated_at)',
  `CREATE TABLE auth.client_secret (
  id uuid NOT NULL,
  client_id text NOT NULL,
  hash text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  CONSTRAINT pk_client_secret PRIMARY KEY (id),
  CONSTRAINT fk_client_secret__client FOREIGN KEY (client_id) REFERENCES auth.client (client_id) ON DELETE CASCADE
)`,
  'CREATE INDEX ix_client_secret__client_id ON auth.client_secret (client_id)',
  `CREATE INDEX ix_oidc_model__login_client ON auth.oidc_model ((payload->>'clientId')) WHERE model = 'Login'`,
  'CREATE TABLE auth.configured_client (client_id text NOT NULL, CONSTRAINT pk_configured_client PRIMARY KEY (client_id))',
  `CREATE TABLE auth.api_key (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  username text NOT NULL,
  name text NOT NULL,
  hint text NOT NULL,
  hash text NOT NULL,
  resource_roles text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  CONSTRAINT pk_api_key PRIMARY KEY (id)
)`,
  'CREATE UNIQUE INDEX uq_api_key__hash ON auth.api_key (hash)',
  'CREATE INDEX ix_api_key__user_id ON auth.api_key (user_id)',
  'CREATE INDEX ix_api_key__username ON auth.api_key (username)',
  'CREATE INDEX ix_api_key__expires_at ON auth.api_key (expires_at)',
  `CREATE TABLE auth.own_password (
  user_id uuid NOT NULL,
  credential text NOT NULL,
  chosen_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_own_password PRIMARY KEY (user_id)
)`,
  `CREATE TABLE auth.password_history (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL,
  password_hash text NOT NULL,
  CONSTRAINT pk_password_history PRIMARY KEY (id)
)`,
  'CREATE INDEX ix_password_history__user_id ON auth.password_history (user_id, id DESC)',
  `CREATE TABLE auth.password_reset (
  token_hash text NOT NULL,
  user_id uuid NOT NULL,
  username text NOT NULL,
  credential text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT pk_password_reset PRIMARY KEY (token_hash)
)`,
  'CREATE INDEX ix_password_reset__user_id ON auth.password_reset (user_id)',
  'CREATE INDEX ix_password_reset__expires_at ON auth.password_reset (expires_at)',
  `CREATE TABLE auth.second_factor (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  secret_encrypted bytea,
  last_step bigint,
  credential_id text,
  public_key bytea,
  sign_count bigint,
  transports text[],
  CONSTRAINT pk_second_factor PRIMARY KEY (id),
  CONSTRAINT ck_second_factor__kind CHECK (
    kind = 'totp' AND secret_encrypted IS NOT NULL
    OR kind = 'passkey' AND credential_id IS NOT NULL AND public_key IS NOT NULL AND sign_count IS NOT NULL)
)`,
  'CREATE INDEX ix_second_factor__user_id ON auth.second_factor (user_id)',
  'CREATE UNIQUE INDEX uq_second_factor__credential_id ON auth.second_factor (credential_id)',
  `CREATE TABLE auth.recovery_code (
  user_id uuid NOT NULL,
  digest text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_recovery_code PRIMARY KEY (user_id, digest)
)`,
  `CREATE TABLE auth.scim_user (
  user_id uuid NOT NULL,
  external_id text,
  display_name text,
  revision integer NOT NULL DEFAULT 0,
  is_removed boolean NOT NULL DEFAULT false,
  role_table text,
  is_primary boolean NOT NULL DEFAULT true,
  formatted_name text,
  CONSTRAINT pk_scim_user PRIMARY KEY (user_id)
)`,
  'CREATE INDEX ix_scim_user__external_id ON auth.scim_user (external_id) WHERE external_id IS NOT NULL',
  `CREATE TABLE auth.scim_group (
  id uuid NOT NULL,
  display_name text NOT NULL,
  external_id text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_scim_group PRIMARY KEY (id)
)`,
  'CREATE UNIQUE INDEX uq_scim_group__display_name ON auth.scim_group (lower(display_name))',
  `CREATE TABLE auth.scim_member (
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  display text,
  CONSTRAINT pk_scim_member PRIMARY KEY (group_id, user_id),
  CONSTRAINT fk_scim_member__group FOREIGN KEY (group_id) REFERENCES auth.scim_group (id) ON DELETE CASCADE
)`,
  'CREATE INDEX ix_scim_member__user_id ON auth.scim_member (user_id)',
  `CREATE TABLE auth.security_event (
  id bigint GENERATED ALWAYS AS IDENTITY,
  recorded_at timestamptz(3) NOT NULL,
  type text NOT NULL,
  username text,
  by_username text,
  client_id text,
  address text,
  provider text,
  reason text,
  attributes text[],
  amount bigint,
  count bigint NOT NULL,
  by_client_id text,
  role text,
  trace_id text,
  CONSTRAINT pk_security_event PRIMARY KEY (id)
)`,
  'CREATE INDEX ix_security_event__type ON auth.security_event (type, recorded_at DESC, id DESC)',
  `CREATE INDEX ix_security_event__username ON auth.security_event (username, type, recorded_at DESC, id DESC)
  WHERE username IS NOT NULL`,
  `CREATE INDEX ix_security_event__client_id ON auth.security_event (client_id, type, recorded_at DESC, id DESC)
  WHERE client_id IS NOT NULL`,
  `CREATE INDEX ix_security_event__role ON auth.security_event (role, type, recorded_at DESC, id DESC)
  WHERE role IS NOT NULL`,
];
