import { pino } from 'pino';
import { currentTraceId } from '../tracing/trace-context.ts';
import { hideSecrets } from './hide-secrets.ts';
import type { ChildOptions, Logger } from './logger.ts';
import { prettyLines } from './pretty-lines.ts';
import { showError } from './show-error.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** The target of the log; each `write` is one line with its line end. */
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

/**
 * The log of a service: JSON lines with `time` (ISO 8601), `level`, `service`, `message`, `traceId` when a
 * request is being served, and the given fields. Errors under `error` or `err` are written with stack and causes.
 */
export function createLogger(options: LoggerOptions): Logger {
  const target = options.destination ?? standardOutput();
  const logger = pino(
    {
      level: options.level ?? 'info',
      base: { service: options.service },
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: hideSecrets },
      serializers: { error: showError, err: showError },
      mixin: () => {
        const traceId = currentTraceId();
        return traceId === undefined ? {} : { traceId };
      },
    },
    options.pretty === true ? prettyLines(target) : target,
  );
  return hideInChildren(logger, logger.child as unknown as MakeChild);
}

/**
 * Lines are buffered and written together after at most a tenth of a second: one write for each line would double the
 * cost of the log of a small request. When a process ends, it writes the rest of the buffer.
 */
const standardOutput = (): LogDestination =>
  pino.destination({ fd: 1, sync: false, minLength: 4_096, periodicFlush: 100 });

type MakeChild = (
  this: Omit<Logger, 'child'>,
  fields: object,
  options: { readonly level: LogLevel } | undefined,
) => Logger;

const EVERY_LEVEL = { level: 'debug' } as const;

/** Fields of a child are written once, past the formatters of its lines. */
function hideInChildren(logger: Omit<Logger, 'child'>, makeChild: MakeChild): Logger {
  return Object.assign(logger, {
    child(fields: object, { everyLevel }: ChildOptions = {}) {
      const options = everyLevel === true ? EVERY_LEVEL : undefined;
      return hideInChildren(makeChild.call(logger, hideSecrets({ ...fields }), options), makeChild);
    },
  });
}
