import type { SchemaMigration } from '../schema-migration.ts';
import { AUDIT_COLUMNS, grantTo, READER } from './fragments.ts';

/**
 * Texts that replace those of messages files, as the entity `sys_Message` describes them, and the view that
 * every service reads them from: one row, whose version is the same as long as the texts are.
 */
export const MESSAGES_MIGRATION: SchemaMigration = {
  name: '1763683200007-platform-messages',
  up: [
    'CREATE SCHEMA sys',
    `CREATE TABLE sys.message (
  id uuid NOT NULL,${AUDIT_COLUMNS}
  key varchar(500) NOT NULL,
  locale varchar(20) NOT NULL,
  text text NOT NULL,
  CONSTRAINT pk_message PRIMARY KEY (id)
)`,
    'CREATE UNIQUE INDEX uq_message__key__locale ON sys.message (key, locale)',
    `CREATE VIEW sys.message_snapshot AS
SELECT md5(s.body::text) AS version, s.body
FROM (
  SELECT coalesce(
    jsonb_agg(jsonb_build_object('key', m.key, 'locale', m.locale, 'text', m.text) ORDER BY m.key, m.locale),
    '[]'::jsonb
  ) AS body
  FROM sys.message m
) s`,
    grantTo(READER, ['USAGE ON SCHEMA sys', 'SELECT ON sys.message_snapshot']),
  ],
  down: ['DROP VIEW sys.message_snapshot', 'DROP TABLE sys.message', 'DROP SCHEMA sys'],
};
