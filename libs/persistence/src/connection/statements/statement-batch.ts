import pg, { type Submittable } from 'pg';
import { serialize } from 'pg-protocol';
import type { Statement } from '../../database.ts';
import { TEXT_FIRST_TYPES } from '../results/value-types.ts';

/** The result of one statement of a batch. */
export interface StatementResult {
  readonly rows: Record<string, unknown>[];
  /** The command tag of the server: `INSERT 0 1`. */
  readonly command: string;
  /** A row could not be read. */
  readonly error: Error | undefined;
}

/** How the columns of a statement's rows are read. */
interface Layout {
  /** An object with every column; rows are copies of it, so that all have one hidden class. */
  readonly empty: Readonly<Record<string, unknown>>;
  readonly columns: readonly { readonly name: string; readonly read: (text: string) => unknown }[];
}

/** The part of the driver's protocol object that a batch uses. */
interface Wire {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): boolean };
  /** Texts of the prepared statements by name; the driver records them when the server confirms them. */
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The driver's query. Its type lacks the handlers of messages. */
const DriverQuery = pg.Query as unknown as new (
  text: string,
) => { name: string | undefined; text: string; callback?: unknown };

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

const NO_COLUMNS: Layout = { empty: {}, columns: [] };

/** Layouts of prepared statements by connection, so that the server does not have to describe them each time. */
const LAYOUTS = new WeakMap<Wire, Map<string, Layout>>();

function layoutsOf(wire: Wire): Map<string, Layout> {
  const known = LAYOUTS.get(wire);
  if (known !== undefined) return known;
  const layouts = new Map<string, Layout>();
  LAYOUTS.set(wire, layouts);
  return layouts;
}

function keepLayout(wire: Wire, name: string, layout: Layout): void {
  const layouts = layoutsOf(wire);
  if (layouts.get(name) !== layout) layouts.set(name, layout);
}

/**
 * Statements that are sent in one write, followed by one `Sync`: the server responds to all of them at once. The
 * driver's own query sends one `Sync` and requests one description of the columns for each statement.
 *
 * `name` and `text` are those of the statement whose result comes next, since the driver uses them to record which
 * statements the server has prepared.
 */
export class StatementBatch extends DriverQuery implements Submittable {
  /** Results of the completed statements, in their order. */
  readonly results: StatementResult[] = [];
  private readonly statements: readonly Statement[];
  private readonly onCompleted: (error: Error | undefined) => void;
  /** Of the statements that were sent; undefined until the server has described the columns. */
  private readonly layouts: (Layout | undefined)[] = [];
  private current: Record<string, unknown>[] = [];
  private unsent: Error | undefined;
  private unreadable: Error | undefined;

  /**
   * @param onCompleted called when all statements are complete, or with the error of the first that failed or could
   *   not be sent
   */
  constructor(statements: readonly Statement[], onCompleted: (error: Error | undefined) => void) {
    super('');
    this.statements = statements;
    this.onCompleted = onCompleted;
    // The driver creates a promise for a query without a callback.
    this.callback = onCompleted;
    this.expect(0);
  }

  /** Called by the driver when the connection is free for the batch. */
  submit(connection: unknown): null {
    const wire = connection as Wire;
    const parts: Buffer[] = [];
    for (const statement of this.statements) {
      try {
        this.write(wire, statement, parts);
      } catch (error) {
        this.unsent = error as Error;
        break;
      }
    }
    parts.push(serialize.sync());
    if (wire.stream.writable) wire.stream.write(Buffer.concat(parts));
    return null;
  }

  private write(wire: Wire, { name, text, values }: Statement, parts: Buffer[]): void {
    const { parsedStatements, submittedNamedStatements } = wire;
    const statement = name ?? '';
    const prepared = name === undefined ? undefined : (parsedStatements[name] ?? submittedNamedStatements[name]);
    if (prepared !== undefined && prepared !== text)
      throw new Error(`Two statements have the name ${name}: ${prepared} and ${text}`);
    // Before the other messages, because it throws where a value cannot be sent.
    const bind = serialize.bind({ statement, values: values as unknown[], valueMapper: prepareValue });
    if (prepared === undefined) {
      parts.push(serialize.parse({ name: statement, text }));
      if (name !== undefined) submittedNamedStatements[name] = text;
    }
    parts.push(bind);
    const layout = name === undefined ? undefined : layoutsOf(wire).get(name);
    this.layouts.push(layout);
    if (layout === undefined) parts.push(serialize.describe({ type: 'P' }));
    parts.push(serialize.execute());
  }

  private expect(at: number): void {
    const next = this.statements[at];
    this.name = next?.name;
    this.text = next?.text ?? '';
    this.current = [];
    this.unreadable = undefined;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.layouts[this.results.length] = {
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
      columns: fields.map(({ name, dataTypeID }) => ({ name, read: TEXT_FIRST_TYPES.getTypeParser(dataTypeID) })),
    };
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { empty, columns } = this.layouts[this.results.length] ?? NO_COLUMNS;
    const row = { ...empty };
    try {
      for (let at = 0; at < fields.length; at += 1) {
        const [column, text] = [columns[at], fields[at]];
        if (column !== undefined && text !== null && text !== undefined) row[column.name] = column.read(text);
      }
    } catch (error) {
      this.unreadable ??= error as Error;
    }
    this.current.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }, connection: unknown): void {
    this.complete(text, connection);
  }

  handleEmptyQuery(connection: unknown): void {
    this.complete('', connection);
  }

  private complete(command: string, connection: unknown): void {
    const at = this.results.length;
    if (this.name !== undefined) keepLayout(connection as Wire, this.name, this.layouts[at] ?? NO_COLUMNS);
    this.results.push({ rows: this.current, command, error: this.unreadable });
    this.expect(at + 1);
  }

  handleError(error: Error, connection: unknown): void {
    // The server skips the statements after one that failed, so it has prepared none of them.
    const { submittedNamedStatements } = connection as Wire;
    for (const { name } of this.statements.slice(this.results.length))
      if (name !== undefined) delete submittedNamedStatements[name];
    this.onCompleted(error);
  }

  handleReadyForQuery(): void {
    this.onCompleted(this.unsent);
  }
}
