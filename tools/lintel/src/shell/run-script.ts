import { type Runtime, Session } from 'node:inspector/promises';
import { inspect } from 'node:util';
import type { ExitCode } from '../run.ts';
import type { Terminal } from '../terminal.ts';

/** What a script prints of a value. */
const DEPTH = 5;

/**
 * Evaluates a script with global variables, as a console does: with top-level await, and with the value of its last
 * expression, which is printed. Returns 1 if it has failed; its error is on standard error.
 */
export async function runScript(script: string, variables: object, terminal: Terminal): Promise<ExitCode> {
  const session = new Session();
  session.connect();
  let value: unknown;
  Object.assign(globalThis, variables, {
    [RECEIVE]: (one: unknown) => {
      value = one;
    },
  });
  try {
    // The type of `post` has no results.
    const { result, exceptionDetails: failure } = (await session.post('Runtime.evaluate', {
      expression: script,
      replMode: true,
      awaitPromise: true,
    })) as unknown as Runtime.EvaluateReturnType;
    const outcome = failure?.exception ?? result;
    if (outcome.objectId === undefined) value = plainValue(outcome);
    else
      await session.post('Runtime.callFunctionOn', {
        objectId: outcome.objectId,
        functionDeclaration: `function () { globalThis[${JSON.stringify(RECEIVE)}](this); }`,
      });
    if (failure !== undefined) terminal.note(inspect(value));
    else if (value !== undefined) terminal.print(inspect(value, { depth: DEPTH }));
    return failure === undefined ? 0 : 1;
  } finally {
    session.disconnect();
  }
}

const RECEIVE = 'lintelReceivesResult';

/** A value that is no object. */
const plainValue = ({ type, value, unserializableValue }: Runtime.RemoteObject): unknown => {
  if (unserializableValue === undefined) return value;
  return type === 'bigint' ? BigInt(unserializableValue.slice(0, -1)) : Number(unserializableValue);
};
