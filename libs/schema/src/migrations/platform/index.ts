import type { SchemaMigration } from '../schema-migration.ts';
import { API_KEYS_MIGRATION } from './api-keys.ts';
import { AUTH_MIGRATION } from './auth.ts';
import { CLIENTS_MIGRATION } from './clients.ts';
import { DYNAMIC_ATTRIBUTES_MIGRATION } from './dynamic-attributes.ts';
import { EVENT_POSITIONS_INDEX_MIGRATION, EVENT_POSITIONS_MIGRATION } from './event-positions.ts';
import { EVENTS_MIGRATION } from './events.ts';
import { FEDERATION_MIGRATION } from './federation.ts';
import { FILE_SEARCHES_MIGRATION } from './file-searches.ts';
import { IDEMPOTENCY_MIGRATION } from './idempotency.ts';
import { LIST_VIEWS_MIGRATION } from './list-views.ts';
import { LOGIN_HISTORY_MIGRATION } from './login-history.ts';
import { LOGIN_METHODS_MIGRATION } from './login-methods.ts';
import { MESSAGES_MIGRATION } from './messages.ts';
import { NAMES_OF_USERS_MIGRATION } from './names-of-users.ts';
import { NO_INBOX_MIGRATION } from './no-inbox.ts';
import { PASSWORD_RESETS_MIGRATION } from './password-resets.ts';
import { PASSWORDS_MIGRATION } from './passwords.ts';
import { PROVISIONING_MIGRATION } from './provisioning.ts';
import { REPORT_CODES_MIGRATION } from './report-codes.ts';
import { REPORT_READER_MIGRATION } from './report-reader.ts';
import { REPORT_RUNS_MIGRATION } from './report-runs.ts';
import { REPORT_VERSION_PREVIEWS_MIGRATION } from './report-version-previews.ts';
import { REPORT_VERSIONS_MIGRATION } from './report-versions.ts';
import { REPORTS_MIGRATION } from './reports.ts';
import { ROLES_MIGRATION } from './roles.ts';
import { ROW_POLICY_ACTIONS_MIGRATION } from './row-policy-actions.ts';
import { SECOND_FACTORS_MIGRATION } from './second-factors.ts';
import { SECURITY_MIGRATION } from './security.ts';
import { SECURITY_EVENT_ACTORS_MIGRATION } from './security-event-actors.ts';
import { SECURITY_EVENT_SOURCES_MIGRATION } from './security-event-sources.ts';
import { SECURITY_EVENTS_MIGRATION } from './security-events.ts';
import { SENT_VALUES_MIGRATION } from './sent-values.ts';
import { USER_NAMES_MIGRATION } from './user-names.ts';
import { WEBHOOKS_MIGRATION } from './webhooks.ts';

/** The platform's own tables, in every database, before any of the application's. Never changed, only added to. */
export const PLATFORM_MIGRATIONS: readonly SchemaMigration[] = [
  EVENTS_MIGRATION,
  SECURITY_MIGRATION,
  AUTH_MIGRATION,
  DYNAMIC_ATTRIBUTES_MIGRATION,
  IDEMPOTENCY_MIGRATION,
  ROLES_MIGRATION,
  MESSAGES_MIGRATION,
  REPORT_RUNS_MIGRATION,
  REPORTS_MIGRATION,
  REPORT_READER_MIGRATION,
  EVENT_POSITIONS_MIGRATION,
  EVENT_POSITIONS_INDEX_MIGRATION,
  WEBHOOKS_MIGRATION,
  ROW_POLICY_ACTIONS_MIGRATION,
  REPORT_CODES_MIGRATION,
  NO_INBOX_MIGRATION,
  FEDERATION_MIGRATION,
  LOGIN_HISTORY_MIGRATION,
  CLIENTS_MIGRATION,
  API_KEYS_MIGRATION,
  PASSWORDS_MIGRATION,
  PASSWORD_RESETS_MIGRATION,
  SECOND_FACTORS_MIGRATION,
  LOGIN_METHODS_MIGRATION,
  PROVISIONING_MIGRATION,
  LIST_VIEWS_MIGRATION,
  SECURITY_EVENTS_MIGRATION,
  REPORT_VERSIONS_MIGRATION,
  REPORT_VERSION_PREVIEWS_MIGRATION,
  NAMES_OF_USERS_MIGRATION,
  USER_NAMES_MIGRATION,
  SENT_VALUES_MIGRATION,
  SECURITY_EVENT_ACTORS_MIGRATION,
  FILE_SEARCHES_MIGRATION,
  SECURITY_EVENT_SOURCES_MIGRATION,
];
