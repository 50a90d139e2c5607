import Cursor from 'pg-cursor';
import type { Statement } from '../../database.ts';
import { TEXT_FIRST_TYPES } from '../results/value-types.ts';

/** The part of the driver's protocol object that a cursor uses to send its first two messages. */
interface Wire {
  readonly parsedStatements: Readonly<Record<string, string>>;
  parse?: (message: { name?: string; text: string }, more: boolean) => void;
  bind?: (message: { portal: string; statement?: string; values: unknown }, more: boolean) => void;
}

type Submit = (wire: Wire) => void;

/**
 * Creates a cursor whose statement is prepared once per connection, as buffered statements are. `pg-cursor` itself
 * prepares an unnamed statement each time; only its first two messages are changed here.
 *
 * @param onSubmit called when the connection is free for the cursor, before its first message
 */
export function createCursor(statement: Statement, onSubmit: () => void): Cursor<Record<string, unknown>> {
  const cursor = new Cursor<Record<string, unknown>>(statement.text, statement.values as unknown[], {
    types: TEXT_FIRST_TYPES,
  });
  const { name } = statement;
  const submitUnnamed = cursor.submit.bind(cursor) as unknown as Submit;
  const submitNamed = (wire: Wire, name: string): void => {
    const { parse, bind } = wire;
    // Own members override those of the prototype during this call, which sends synchronously.
    wire.parse = ({ text }, more) => {
      if (wire.parsedStatements[name] === undefined) parse?.call(wire, { name, text }, more);
    };
    wire.bind = (message, more) => bind?.call(wire, { ...message, statement: name }, more);
    try {
      submitUnnamed(wire);
    } finally {
      delete wire.parse;
      delete wire.bind;
    }
  };
  const submit: Submit = (wire) => {
    onSubmit();
    if (name === undefined) submitUnnamed(wire);
    else submitNamed(wire, name);
  };
  // The client reads `name` and records the statement as prepared when the server confirms it.
  return Object.assign(cursor, name === undefined ? { submit } : { name, submit });
}
