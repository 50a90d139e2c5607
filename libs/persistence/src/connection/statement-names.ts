import type { Statement } from '../database.ts';

/** Prepared statements live in the server's memory, once per connection: number and length must be bounded. */
const MAX_NAMES = 2_000;
/** Of all texts together; a backend keeps 60 to 180 bytes for each character: 220 MB at most. */
const MAX_CHARACTERS = 1_200_000;

/**
 * Counts the names of prepared statements. When there are too many, `onOverflow` asks for new
 * connections, which start without any.
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
