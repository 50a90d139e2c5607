import type { Statement } from '../../database.ts';

/** Prepared statements use memory of the server, once per connection: their number and length must be bounded. */
const MAX_NAMES = 2_000;
/** Of all texts together; a backend uses 60 to 180 bytes per character: 220 MB at most. */
const MAX_CHARACTERS = 1_200_000;

/**
 * Counts the names of prepared statements. When there are too many, it calls `onOverflow`, which must replace the
 * connections: new ones have no prepared statements.
 */
export class StatementNames {
  private readonly names = new Set<string>();
  private characters = 0;
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
    const { length } = statement.text;
    if (this.names.size >= this.limit || this.characters + length > MAX_CHARACTERS) {
      this.names.clear();
      this.characters = 0;
      this.onOverflow();
    }
    this.names.add(statement.name);
    this.characters += length;
  }
}
