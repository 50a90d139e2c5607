import { defineSettings } from '../declaring/define-settings.ts';
import { type SettingsOf, setting } from '../declaring/setting.ts';
import { booleanValue, choiceValue, durationMsValue, postgresUrlValue, textValue } from '../declaring/values.ts';

/** How all URLs of PostgreSQL are connected to. */
export const connectionSettings = defineSettings({
  pooler: setting(
    'svc.datasource.pooler',
    choiceValue(['none', 'transaction']).default('none'),
    '`transaction` if the URLs lead to a pooler in transaction mode, such as PgBouncer',
  ),
  preparedStatements: setting(
    'svc.datasource.prepared-statements',
    booleanValue().optional(),
    'Whether statements stay prepared on a connection; by default unless there is a pooler',
  ),
  directUrl: setting(
    'svc.datasource.direct-url',
    postgresUrlValue().optional(),
    'With a pooler, PostgreSQL URL of the same login without it, for migrations and notifications of events',
    { secret: true },
  ),
  passwordFile: setting(
    'svc.datasource.password-file',
    textValue().optional(),
    'File whose first line is the password of the logins of `svc.datasource`; read for each new connection',
  ),
  ssl: {
    mode: setting(
      'svc.datasource.ssl.mode',
      choiceValue(['disable', 'require', 'verify-ca', 'verify-full']).optional(),
      'Encryption of the connections: `require` without a check of the certificate, `verify-ca` checks its authority, `verify-full` also its host name; parameters of a URL (`sslmode`) come first',
    ),
    rootCertificate: setting(
      'svc.datasource.ssl.root-certificate',
      textValue().optional(),
      'File with the certificates (PEM) of the authorities of the servers; without it the certificates of Node.js',
    ),
    certificate: setting(
      'svc.datasource.ssl.certificate',
      textValue().optional(),
      'File with the certificate that the services present (PEM); read for each new connection',
    ),
    key: setting(
      'svc.datasource.ssl.key',
      textValue().optional(),
      'File with the private key of that certificate (PEM, not encrypted)',
    ),
  },
});
export type ConnectionConfig = SettingsOf<typeof connectionSettings>;

/**
 * The database of a service and the log of its slow statements.
 *
 * @param login description of the login, which is another one in each service
 */
export const datasourceSettings = (login: string) => ({
  url: setting('svc.datasource.url', postgresUrlValue(), `PostgreSQL URL ${login}`, { secret: true }),
  ...connectionSettings,
  slowQueries: {
    thresholdMs: setting(
      'svc.datasource.slow-query-threshold',
      durationMsValue().default(1_000),
      'Statements that take longer are logged, without their values; `0s` logs none',
    ),
    plan: setting(
      'svc.datasource.slow-query-plan',
      booleanValue().default(false),
      'Whether the plan of a slow statement is logged, without values',
    ),
  },
});
