import { type Context, createContext, Script } from 'node:vm';

const CALL = new Script('work()');
let scope: Context | undefined;

/**
 * Runs synchronous work whose time its author decides: a path, a regular expression. V8 ends it in the middle, also in the
 * middle of a regular expression.
 *
 * @throws what `onTooLong` makes, where it takes longer
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
