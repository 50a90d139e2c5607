/** The log of mails, and the addresses to which nothing is sent (contract/mail.md#log). */
export const MAILS: readonly string[] = [
  `CREATE TABLE sys.mail (
  id uuid NOT NULL,
  name varchar(63) NOT NULL,
  recipient varchar(320) NOT NULL,
  locale varchar(20),
  state varchar(10) NOT NULL,
  queued_at timestamp(3) NOT NULL,
  finished_at timestamp(3),
  error varchar(500),
  CONSTRAINT pk_mail PRIMARY KEY (id)
)`,
  'CREATE INDEX ix_mail__recipient ON sys.mail (recipient)',
  'CREATE INDEX ix_mail__queued_at ON sys.mail (queued_at)',
  `CREATE TABLE sys.suppressed_address (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  address varchar(320) NOT NULL,
  reason varchar(500),
  CONSTRAINT pk_suppressed_address PRIMARY KEY (id)
)`,
  'CREATE UNIQUE INDEX uq_suppressed_address__address ON sys.suppressed_address (address)',
];

/** Notifications of users in the console (contract/mail.md#notifications). */
export const NOTIFICATIONS: readonly string[] = [
  `CREATE TABLE sys.notification (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp(3) NOT NULL,
  read_at timestamp(3),
  content text NOT NULL,
  CONSTRAINT pk_notification PRIMARY KEY (id),
  CONSTRAINT fk_notification__user FOREIGN KEY (user_id) REFERENCES sec."user" (id) ON DELETE CASCADE
)`,
  'CREATE INDEX ix_notification__user ON sys.notification (user_id, created_at)',
  'CREATE INDEX ix_notification__unread ON sys.notification (user_id) WHERE read_at IS NULL',
  'CREATE INDEX ix_notification__created_at ON sys.notification (created_at)',
];

/** Reports that are sent on a schedule (contract/mail.md#reports). */
export const REPORT_DELIVERIES: readonly string[] = [
  `CREATE TABLE sys.report_delivery (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  name varchar(255) NOT NULL,
  report varchar(255) NOT NULL,
  parameters jsonb,
  template varchar(255),
  format varchar(20),
  recipients varchar(4000) NOT NULL,
  locale varchar(20),
  schedule varchar(100) NOT NULL,
  time_zone varchar(60) NOT NULL,
  active boolean NOT NULL,
  owner varchar(255),
  next_run timestamp(3),
  last_sent timestamp(3),
  last_error varchar(500),
  CONSTRAINT pk_report_delivery PRIMARY KEY (id)
)`,
  'CREATE INDEX ix_report_delivery__next_run ON sys.report_delivery (next_run)',
  'CREATE INDEX ix_report_delivery__owner ON sys.report_delivery (owner)',
];
