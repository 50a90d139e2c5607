import type { LogDestination } from './create-logger.ts';

const HIDDEN = new Set(['time', 'level', 'service', 'message', 'traceId', 'error', 'err']);

/** Turns JSON lines into lines for people: `12:30:05 warn  [data] message field=value`. */
export const prettyLines = (target: LogDestination): LogDestination => ({
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
