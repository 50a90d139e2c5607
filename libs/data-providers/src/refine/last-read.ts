import type { ProviderRecord } from '../records/records.ts';

/** Records of older reads are forgotten. */
const MAX_KEPT = 500;

/** The records as they were read last: forms of Refine send all their values, and not what they began with. */
export class LastRead {
  readonly #records = new Map<string, ProviderRecord>();

  keep(entity: string, record: ProviderRecord): ProviderRecord {
    const key = keyOf(entity, record.id);
    this.#records.delete(key);
    this.#records.set(key, record);
    const [oldest] = this.#records.keys();
    if (this.#records.size > MAX_KEPT && oldest !== undefined) this.#records.delete(oldest);
    return record;
  }

  /**
   * The record that the values of a form began with; undefined if it was not read, or if the values have another
   * version.
   */
  find(entity: string, id: unknown, values: Readonly<Record<string, unknown>>): ProviderRecord | undefined {
    const record = this.#records.get(keyOf(entity, id));
    const isSame = values['version'] === undefined || values['version'] === record?.['version'];
    return isSame ? record : undefined;
  }

  forget(entity: string, id: unknown): void {
    this.#records.delete(keyOf(entity, id));
  }
}

const keyOf = (entity: string, id: unknown): string => `${entity} ${id}`;
