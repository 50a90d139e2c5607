import { pino } from 'pino';
import { currentTraceId } from '../tracing/trace-context.ts';
import { hideSecrets } from './hide-secrets.ts';
import { isoTime } from './iso-time.ts';
import type { ChildOptions, RequestLogger } from './logger.ts';
import { prettyLines } from './pretty-lines.ts';
import { createRequestLines } from './request-lines.ts';
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

/** Lines are written as soon as there are this many bytes of them. */
const WRITTEN_FROM_BYTES = 12_288;

/** Maximum time between a line and its write. */
const MAX_WAIT_MS = 100;

/**
 * Lines are buffered and written together after at most a tenth of a second: one write for each line would double the
 * cost of the log of a small request. When a process ends, it writes the rest of the buffer.
 *
 * The library gets bytes. Of a text it would count the bytes of all that it has buffered at each line, which copies
 * them, and its own timer writes even where there is nothing to write.
 */
function standardOutput(): LogDestination {
  const options = { fd: 1, sync: false, contentMode: 'buffer', minLength: WRITTEN_FROM_BYTES } as const;
  const output = pino.destination(options) as unknown as ByteOutput;
  let bufferedBytes = 0;
  let willFlush = false;
  const flush = (): void => {
    willFlush = false;
    if (!output.destroyed) output.flush();
  };
  const flushLater = (): void => {
    if (willFlush) return;
    willFlush = true;
    setTimeout(flush, MAX_WAIT_MS).unref();
  };
  output.on('write', (bytes) => {
    bufferedBytes -= bytes;
  });
  // A flush has no effect while an earlier write is in progress: a slow reader may delay it.
  output.on('drain', () => {
    if (bufferedBytes > 0) flushLater();
  });
  return {
    write(line) {
      const bytes = Buffer.from(line);
      bufferedBytes += bytes.length;
      output.write(bytes);
      flushLater();
    },
  };
}

/** The library's types know texts only. */
interface ByteOutput {
  readonly destroyed: boolean;
  write(bytes: Buffer): boolean;
  flush(): void;
  /** `write`: so many bytes were written. `drain`: a write has ended, and no other one has begun. */
  on(event: 'write' | 'drain', listener: (bytes: number) => void): unknown;
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
