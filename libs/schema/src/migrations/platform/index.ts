import type { SchemaMigration } from '../schema-migration.ts';
import { AUTH } from './auth.ts';
import { DYNAMIC_ATTRIBUTES } from './dynamic-attributes.ts';
import { EVENT_HANDLERS } from './event-handlers.ts';
import { EVENTS } from './events.ts';
import { createRole, FEDERATION, GROUPS_OF_LOGINS, grantTo, READER, REPORT_RUNNER } from './fragments.ts';
import {
  ACCESS_LOG,
  HISTORY,
  HISTORY_IN_LESS_TIME,
  HISTORY_IN_ORDER,
  HISTORY_KEYS,
  HISTORY_OF_ROWS,
  HISTORY_OF_VALUES,
} from './history.ts';
import { JOBS } from './jobs.ts';
import { MAILS, NOTIFICATIONS, REPORT_DELIVERIES } from './mails.ts';
import { PROVISIONING } from './provisioning.ts';
import { REPORT_VERSIONS } from './report-versions.ts';
import { REPORTS } from './reports.ts';
import { SECURITY } from './security.ts';
import { SYSTEM } from './system.ts';
import { USER_NAMES } from './user-names.ts';

/** What the logins of services may do, by the group roles that they are in. */
const GRANTS: readonly string[] = [
  `REVOKE ALL ON FUNCTION sec.replace_password_hash, sec.change_password, sec.publish_federated_change,
  sec.create_federated_user, sec.follow_federated_roles, sec.end_assignments, sec.change_provisioned_user,
  sec.remove_provisioned_user, sec.follow_provisioned_roles, sec.release_name FROM PUBLIC`,
  ...GROUPS_OF_LOGINS.map(createRole),
  grantTo(READER, [
    'USAGE ON SCHEMA sec, sys, report',
    'SELECT ON sec."user", sec.role_assignment, sec.role_snapshot, sys.message_snapshot, report.report_snapshot',
    'EXECUTE ON FUNCTION sec.replace_password_hash, sec.change_password',
  ]),
  grantTo(FEDERATION, [
    'USAGE ON SCHEMA sec',
    `EXECUTE ON FUNCTION sec.create_federated_user, sec.follow_federated_roles, sec.change_provisioned_user,
      sec.remove_provisioned_user, sec.follow_provisioned_roles, sec.release_name`,
  ]),
  grantTo(REPORT_RUNNER, [
    'USAGE ON SCHEMA report_run, report',
    'SELECT, INSERT, UPDATE, DELETE ON report_run.run, report.report_execution',
    'SELECT ON report.report_snapshot, report.report_version',
  ]),
];

/** The platform's own tables. */
export const PLATFORM_BASELINE: SchemaMigration = {
  name: '1763683200100-platform',
  up: [
    ...EVENTS,
    ...SECURITY,
    ...AUTH,
    ...DYNAMIC_ATTRIBUTES,
    ...SYSTEM,
    ...REPORTS,
    ...REPORT_VERSIONS,
    ...PROVISIONING,
    ...USER_NAMES,
    ...GRANTS,
  ],
  // The platform's migrations are never undone.
  down: [],
};

/** In every database, before any of the application's. Never changed, only added to. */
export const PLATFORM_MIGRATIONS: readonly SchemaMigration[] = [
  PLATFORM_BASELINE,
  {
    name: '1764400000000-history',
    up: [...HISTORY, 'REVOKE ALL ON FUNCTION history.make_partitions FROM PUBLIC'],
    down: [],
  },
  {
    name: '1764700000000-history-in-order',
    // Existing triggers need no right; the owner of another table could forge entries by a trigger.
    up: [...HISTORY_IN_ORDER, 'REVOKE ALL ON FUNCTION history.record, sec.check_name, sec.follow_name FROM PUBLIC'],
    down: [],
  },
  { name: '1764800000000-access-log', up: ACCESS_LOG, down: [] },
  { name: '1764900000000-jobs', up: JOBS, down: [] },
  { name: '1765100000000-event-handlers', up: EVENT_HANDLERS, down: [] },
  { name: '1765200000000-mails', up: MAILS, down: [] },
  // The data of events of the application; the column is in no model, so that it is only sent.
  {
    name: '1765300000000-webhooks-of-events',
    up: ['ALTER TABLE sys.webhook_delivery ADD COLUMN event_data json'],
    down: [],
  },
  {
    name: '1765400000000-questions-of-views',
    up: ['ALTER TABLE sys.list_view ADD COLUMN question text'],
    down: [],
  },
  { name: '1765500000000-history-of-values', up: [...HISTORY_KEYS, ...HISTORY_OF_VALUES], down: [] },
  {
    name: '1765600000000-conditions-of-webhooks',
    up: ['ALTER TABLE sys.webhook ADD COLUMN became jsonb'],
    down: [],
  },
  { name: '1765700000000-history-of-rows', up: HISTORY_OF_ROWS, down: [] },
  { name: '1765800000000-report-deliveries', up: REPORT_DELIVERIES, down: [] },
  { name: '1765850000000-history-in-less-time', up: HISTORY_IN_LESS_TIME, down: [] },
  // Callers list and count their own calls that continue without them.
  {
    name: '1765900000000-callers-of-runs',
    up: [
      `CREATE INDEX ix_job__caller ON job.job ((data -> 'args' ->> 'caller'), created_on) WHERE name = 'lintel.call'`,
    ],
    down: [],
  },
  // Another user may get the name of an owner.
  {
    name: '1765950000000-owners-of-deliveries',
    up: ['ALTER TABLE sys.report_delivery ADD COLUMN owner_id uuid'],
    down: [],
  },
  // Of jobs that run at each scheduled time; the library has no such column.
  {
    name: '1765960000000-schedules-of-every-time',
    up: ['ALTER TABLE job.queue ADD COLUMN scheduled_until timestamptz'],
    down: [],
  },
  // Events of other applications that the outbox has had: the broker delivers some of them again.
  {
    name: '1766050000000-received-events',
    up: [
      `CREATE TABLE events.received (
  source text NOT NULL,
  id text NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_received PRIMARY KEY (source, id)
)`,
      'CREATE INDEX ix_received__received_at ON events.received (received_at)',
    ],
    down: [],
  },
  { name: '1766100000000-notifications', up: NOTIFICATIONS, down: [] },
  // A change may have several transactions, whose entries are found by its id and their times.
  {
    name: '1766150000000-history-of-imports',
    up: [
      'DROP INDEX history.ix_entry__change_id',
      'CREATE INDEX ix_entry__change_id ON history.entry (change_id, recorded_at)',
    ],
    down: [],
  },
  { name: '1766160000000-paused-jobs', up: ['ALTER TABLE job.queue ADD COLUMN paused_at timestamptz'], down: [] },
];
