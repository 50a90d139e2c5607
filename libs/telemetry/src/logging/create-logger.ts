import { pino } from 'pino';
import { currentTraceId } from '../tracing/trace-context.ts';
import { hideSecrets } from './hide-secrets.ts';
import { isoTime } from './iso-time.ts';
import type { ChildOptions, RequestLine, RequestLogger } from './logger.ts';
import { showError } from './show-error.ts';
import { StandardOutput } from './standard-output.ts';

interface RequestLinesOptions {
  readonly isEnabled: () => boolean;
  /** On every line. Without secrets. */
  readonly fields: object;
  readonly write: (line: string) => void;
}

/**
 * Writes the lines of served requests. Their fields are known, so that a line is one concatenation of texts: the
 * logger's general way, which visits and tests each field, takes three times as long.
 */
function createRequestLines({ isEnabled, fields, write }: RequestLinesOptions): (line: RequestLine) => void {
  const own = JSON.stringify(fields).slice(1, -1);
  const begin = `","${own === '' ? '' : `${own.slice(1)},"`}`;
  return ({ method, route, status, durationMs, session, traceId, aborted }) => {
    if (!isEnabled()) return;
    write(
      `{"level":"info","time":"${isoTime(Date.now())}${begin}${textOf('traceId', traceId)}${textOf('method', method)}${textOf('route', route)}status":${status},"durationMs":${tenthsOf(durationMs)},"${textOf('session', session)}${aborted ? 'aborted":true,"' : ''}message":"request"}\n`,
    );
  };
}

/** A member after the quote of its name, up to the quote of the next one. */
const textOf = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `${name}":${JSON.stringify(value)},"`;

/** With one digit after the point. From whole numbers, whose texts V8 caches. */
function tenthsOf(value: number): string {
  const tenths = Math.round(value * 10);
  const digit = tenths % 10;
  const whole = (tenths - digit) / 10;
  return digit === 0 ? `${whole}` : `${whole}.${digit}`;
}

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
