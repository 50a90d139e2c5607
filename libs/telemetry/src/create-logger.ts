import { pino } from 'pino';
import type { Logger } from './logger.ts';
import { prettyLines } from './pretty-lines.ts';
import { currentTraceId } from './trace-context.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Where lines go; each `write` is one line with its end. */
export interface LogDestination {
  write(line: string): void;
}

export interface LoggerOptions {
  /** Name of the service, on every line. */
  readonly service: string;
  readonly level?: LogLevel;
  /** Standard output without it. */
  readonly destination?: LogDestination;
  /** Lines for people instead of JSON; for standalone mode. */
  readonly pretty?: boolean;
}

/** Members that hold secrets; their values never reach a line, whoever logs them by mistake. */
const SECRET_MEMBERS = [
  'authorization',
  'Authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'jwt',
  'access_token',
  'refresh_token',
  'client_secret',
];

/**
 * The log of a service: JSON lines with `time` (ISO 8601), `level`, `service`, `message`, `traceId` when a
 * request is being served, and the given fields. Errors under `error` or `err` are written with stack and causes.
 */
export function createLogger(options: LoggerOptions): Logger {
  const target = options.destination ?? pino.destination({ fd: 1, sync: false });
  return pino(
    {
      level: options.level ?? 'info',
      base: { service: options.service },
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.errWithCause, err: pino.stdSerializers.errWithCause },
      redact: { paths: SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`]), censor: '***' },
      mixin: () => {
        const traceId = currentTraceId();
        return traceId === undefined ? {} : { traceId };
      },
    },
    options.pretty === true ? prettyLines(target) : target,
  );
}
