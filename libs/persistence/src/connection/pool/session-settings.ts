import type { Statement } from '../../database.ts';
import type { DatabaseMemory, DatabaseOptions } from '../database-options.ts';

/** A setting of PostgreSQL and its value. */
type SessionSetting = readonly [name: string, value: string];

/** An abandoned transaction keeps its locks no longer than this. */
const IDLE_IN_TRANSACTION_MS = 120_000;

/**
 * Session settings that results depend on, so that no configuration of the server changes what clients receive:
 * instants are in UTC and dates in ISO format. JIT is off because its compilation takes longer than it saves:
 * statements of the platform take a few milliseconds.
 */
const RESULT_SETTINGS: readonly SessionSetting[] = [
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO,YMD'],
  ['IntervalStyle', 'iso_8601'],
  ['jit', 'off'],
];

/** Parameters of the start of a session. A pooler in transaction mode refuses or ignores them. */
export function startParametersOf(options: DatabaseOptions, sessionOptions: string | undefined) {
  const readOnly: readonly SessionSetting[] = options.readOnly ? [['default_transaction_read_only', 'on']] : [];
  const settings = [...RESULT_SETTINGS, ...readOnly, ...memorySettings(options.memory)];
  const texts = settings.map(([name, value]) => `-c ${name}=${value}`);
  return {
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    options: [...texts, ...(sessionOptions === undefined ? [] : [sessionOptions])].join(' '),
  };
}

/** The same settings for one transaction. */
export interface LocalSettings {
  /** Applies them with one statement. It takes a snapshot, so it cannot be sent before `SET TRANSACTION`. */
  readonly statement: Statement;
  /** The same as commands of the simple protocol, which follow `BEGIN`. */
  readonly commands: string;
}

/**
 * Settings for each transaction: a pooler in transaction mode gives each transaction another session.
 *
 * @param sessionOptions `options` of the URL
 */
export function localSettingsOf(options: DatabaseOptions, sessionOptions: string | undefined): LocalSettings {
  const settings: readonly SessionSetting[] = [
    ...RESULT_SETTINGS,
    ...memorySettings(options.memory),
    ['statement_timeout', String(Math.max(0, options.statementTimeoutMs))],
    ['idle_in_transaction_session_timeout', String(IDLE_IN_TRANSACTION_MS)],
    ...settingsOf(sessionOptions),
    ...(options.readOnly ? [['transaction_read_only', 'on'] as const] : []),
  ];
  return {
    statement: {
      name: 'lintel_settings',
      text: 'SELECT count(set_config(name, value, TRUE)) FROM unnest($1::text[], $2::text[]) AS setting (name, value)',
      values: [settings.map(([name]) => name), settings.map(([, value]) => value)],
    },
    commands: settings.map(([name, value]) => `SET LOCAL ${name} = '${value.replaceAll("'", "''")}'`).join('; '),
  };
}

/** `-c name=value` and `--name=value` of libpq's `options`. */
const settingsOf = (sessionOptions = ''): readonly SessionSetting[] =>
  [...sessionOptions.matchAll(/(?:-c\s*|--)([\w.-]+)=((?:\\.|\S)*)/g)].map(([, name = '', value = '']) => [
    name.replaceAll('-', '_'),
    value.replaceAll(/\\(.)/g, '$1'),
  ]);

/** `work_mem` applies to each sort and hash of a statement; the limits of requests bound their number. */
const memorySettings = (memory: DatabaseMemory | undefined): readonly SessionSetting[] =>
  memory === undefined || memory.workBytes === 0 ? [] : [['work_mem', kilobytes(memory.workBytes)]];

/** In kilobytes, with the minimum of PostgreSQL's setting. */
export const kilobytes = (bytes: number): string => `${Math.max(64, Math.ceil(bytes / 1_024))}kB`;
