import { isoTime } from './iso-time.ts';
import type { RequestLine } from './logger.ts';

export interface RequestLinesOptions {
  readonly isEnabled: () => boolean;
  /** On every line. Without secrets. */
  readonly fields: object;
  readonly write: (line: string) => void;
}

/**
 * Writes the lines of served requests. Their fields are known, so that a line is one concatenation of texts: the
 * logger's general way, which visits and tests each field, takes three times as long.
 */
export function createRequestLines({ isEnabled, fields, write }: RequestLinesOptions): (line: RequestLine) => void {
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
