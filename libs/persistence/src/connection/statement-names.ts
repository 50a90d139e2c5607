import type { Statement } from '../database.ts';

/** Prepared statements live in the server's memory, once per connection: their number must be bounded. */
const MAX_NAMES = 2_000;

/**
 * Counts the names of prepared statements. When there are too many, `onOverflow` asks for new
 * connections, which start without any.
 */
export class StatementNames {
  private readonly names = new Set<string>();
  private readonly onOverflow: () => void;
  private readonly limit: number;

  constructor(onOverflow: () => void, limit = MAX_NAMES) {
    this.onOverflow = onOverflow;
    this.limit = limit;
  }

  get size(): number {
    return this.names.size;
  }

  note(statement: Statement): void {
    if (statement.name === undefined || this.names.has(statement.name)) return;
    if (this.names.size >= this.limit) {
      this.names.clear();
      this.onOverflow();
    }
    this.names.add(statement.name);
  }
}
