import { pino } from 'pino';
import { currentTraceId } from '../tracing/trace-context.ts';
import { hideSecrets } from './hide-secrets.ts';
import { isoTime } from './iso-time.ts';
import type { ChildOptions, RequestLogger } from './logger.ts';
import { createRequestLines } from './request-lines.ts';
import { showError } from './show-error.ts';
import { StandardOutput } from './standard-output.ts';

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
export function createLogger(options: LoggerOptions): RequestLogger {
  const given = options.destination ?? standardOutput();
  const target = options.pretty === true ? prettyLines(given) : given;
  const logger = pino(
    {
      level: options.level ?? 'info',
      base: { service: options.service },
      messageKey: 'message',
      timestamp: () => `,"time":"${isoTime(Date.now())}"`,
      formatters: { level: (label) => ({ level: label }), log: hideSecrets },
      serializers: { error: showError, err: showError },
      mixin: () => {
        const traceId = currentTraceId();
        return traceId === undefined ? {} : { traceId };
      },
    },
    target,
  );
  return completed(logger, logger.child as unknown as MakeChild, target);
}

let output: StandardOutput | undefined;

/** One for all loggers of the process, which keeps the order of their lines. */
function standardOutput(): LogDestination {
  output ??= new StandardOutput();
  return output;
}

/** What the logging library supplies. */
type BareLogger = Omit<RequestLogger, 'child' | 'request'> & Pick<pino.Logger, 'bindings' | 'isLevelEnabled'>;

type MakeChild = (this: BareLogger, fields: object, options: { readonly level: LogLevel } | undefined) => BareLogger;

const EVERY_LEVEL = { level: 'debug' } as const;

/** Adds the lines of requests, and children whose fields, which are written once, have passed the formatters too. */
function completed(logger: BareLogger, makeChild: MakeChild, target: LogDestination): RequestLogger {
  return Object.assign(logger, {
    request: createRequestLines({
      isEnabled: () => logger.isLevelEnabled('info'),
      fields: logger.bindings(),
      write: (line) => target.write(line),
    }),
    child(fields: object, { everyLevel }: ChildOptions = {}) {
      const options = everyLevel === true ? EVERY_LEVEL : undefined;
      return completed(makeChild.call(logger, hideSecrets({ ...fields }), options), makeChild, target);
    },
  });
}

const HIDDEN = new Set(['time', 'level', 'service', 'message', 'traceId', 'error', 'err']);

/** Turns JSON lines into lines for people: `12:30:05 warn  [data] message field=value`. */
const prettyLines = (target: LogDestination): LogDestination => ({
  write: (line) => target.write(`${toText(line)}\n`),
});

function toText(line: string): string {
  const entry = JSON.parse(line) as Record<string, unknown>;
  const fields = Object.entries(entry)
    .filter(([name]) => !HIDDEN.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const time = String(entry['time']).slice(11, 19);
  const head = `${time} ${String(entry['level']).padEnd(5)} [${String(entry['service'])}] ${String(entry['message'] ?? '')}`;
  const error = entry['error'] ?? entry['err'];
  const stack = typeof error === 'object' && error !== null && 'stack' in error ? `\n${String(error.stack)}` : '';
  return [head, ...fields].join(' ') + stack;
}
