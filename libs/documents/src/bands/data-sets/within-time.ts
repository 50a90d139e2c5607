import { type Context, createContext, Script } from 'node:vm';

const CALL = new Script('work()');
let scope: Context | undefined;

/**
 * Runs synchronous work of unbounded time, such as a path or a regular expression. V8 stops it at the time limit, also
 * during a regular expression.
 *
 * @throws the error of `onTooLong` where it takes longer
 */
export function withinTime<T>(work: () => T, maxMs: number, onTooLong: () => Error): T {
  scope ??= createContext(Object.create(null));
  scope['work'] = work;
  try {
    return CALL.runInContext(scope, { timeout: maxMs }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw onTooLong();
    throw error;
  } finally {
    scope['work'] = undefined;
  }
}
