/** What is known for certain of one customer that the load has made. */
export interface LedgerEntry {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  /** Rises by one with every committed change; 1 after the creation. */
  version: number;
  /** The value of the last committed change. */
  phone: string;
  isDeleted: boolean;
}

/** All that the writers of one load were confirmed to be done, and the names of what may or may not have been made. */
export class InstanceLedger {
  readonly entries: LedgerEntry[] = [];
  /** Names of creations without an outcome: each may exist, but only once. */
  readonly uncertainNames = new Set<string>();
  /** References of files that were taken in, and the digests of their bytes. */
  readonly files = new Map<string, string>();

  add(entry: LedgerEntry): LedgerEntry {
    this.entries.push(entry);
    return entry;
  }

  /** Something that exists, for readers. */
  anyOf(country: string, random: () => number): LedgerEntry | undefined {
    const found = this.entries.filter((entry) => entry.country === country && !entry.isDeleted);
    return found[Math.floor(random() * found.length)];
  }
}
