import { pino } from 'pino';
import { hideMembers } from './hide-secrets.ts';

/** Members of errors that contain sent or stored data: of our errors, of the database, of Redis, of HTTP clients. */
const VALUES = new Set([
  'args',
  'body',
  'command',
  'data',
  'detail',
  'details',
  'dataDetail',
  'hint',
  'internalQuery',
  'items',
  'parameters',
  'response',
  'values',
  'where',
]);

/** Class 22 of SQLSTATE: a value is wrong, and the message quotes it. */
const QUOTES_VALUE = /^22[0-9A-Z]{3}$/;

type LoggedError = Record<string, unknown>;

/**
 * The form of an error for the log: kind, code, stack and causes, without the secrets that libraries add to errors,
 * and without values from clients or from the database.
 */
export const showError = (error: Error): unknown => withoutValues(pino.stdSerializers.errWithCause(error));

function withoutValues(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = hideMembers(value) as LoggedError;
  const logged: LoggedError = {};
  for (const [name, member] of Object.entries(given)) {
    if (VALUES.has(name)) continue;
    logged[name] = isAnotherError(name, member)
      ? Array.isArray(member)
        ? member.map(withoutValues)
        : withoutValues(member)
      : member;
  }
  const message = safeMessage(given);
  if (message === given['message']) return logged;
  // The stack repeats the message.
  return { ...logged, message, stack: stackWith(message, given) };
}

/** `raw` is the error itself, as it was thrown. */
const isAnotherError = (name: string, member: unknown): boolean =>
  name === 'raw' || name === 'aggregateErrors' || (typeof member === 'object' && member !== null && 'stack' in member);

function safeMessage(error: LoggedError): unknown {
  const { message, code, details, error: title } = error;
  // A PlatformError: its message is the text that the client receives.
  if (typeof details === 'string' && typeof title === 'string') return title;
  if (typeof message !== 'string' || typeof code !== 'string' || !QUOTES_VALUE.test(code)) return message;
  return message.replace(/".*"/s, '"…"');
}

function stackWith(message: unknown, { stack, type }: LoggedError): unknown {
  if (typeof stack !== 'string') return stack;
  const frames = stack.slice(Math.max(0, stack.search(/^\s+at /m)));
  return `${String(type)}: ${String(message)}\n${frames}`;
}
