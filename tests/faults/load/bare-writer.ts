import type { Complaints } from './complaints.ts';
import type { InstanceLedger, LedgerEntry } from './instance-ledger.ts';
import { COUNTRIES } from './keyed-writer.ts';
import { jsonOf, type LoadClient } from './load-client.ts';

const PATH = '/rest/entities/sales_Customer';
const UPDATES_OF_ONE = 20;

interface Customer {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly phone: string;
}

export interface BareWriterOptions {
  readonly client: LoadClient;
  readonly ledger: InstanceLedger;
  readonly complaints: Complaints;
  readonly prefix: string;
}

/**
 * Creates and updates customers of its own without keys. After an unknown outcome it looks: what it sent may have
 * been done or not, or still be on its way, but never twice; `If-Match` says which.
 */
export class BareWriter {
  private readonly options: BareWriterOptions;
  private current: LedgerEntry | undefined;
  private updates = 0;
  private count = 0;
  /** Values that were sent on top of the version that is known, without an outcome. */
  private readonly sent = new Set<string>();

  constructor(options: BareWriterOptions) {
    this.options = options;
  }

  async step(): Promise<void> {
    if (this.current === undefined) await this.create();
    else if (this.sent.size > 0) await this.lookAt(this.current);
    else if (this.updates >= UPDATES_OF_ONE) this.current = undefined;
    else await this.update(this.current);
  }

  /** Finds out what came of the last update; whatever was on its way has arrived. */
  async finish(): Promise<void> {
    if (this.current !== undefined && this.sent.size > 0) await this.lookAt(this.current);
  }

  private async create(): Promise<void> {
    const { client, ledger, prefix } = this.options;
    this.count += 1;
    const name = `${prefix} ${this.count}`;
    const country = COUNTRIES[this.count % COUNTRIES.length] ?? '';
    const body = { name, phone: '0', address: { country } };
    const outcome = await client.send({ method: 'POST', path: `${PATH}?responseFetchPlan=_local`, body });
    if (outcome.kind !== 'done') {
      ledger.uncertainNames.add(name);
      return;
    }
    const { id } = jsonOf<Customer>(outcome);
    this.updates = 0;
    this.current = ledger.add({ id, name, country, phone: '0', version: 1, isDeleted: false });
  }

  private async update(entry: LedgerEntry): Promise<void> {
    const phone = String(Number(entry.phone) + 1);
    this.sent.add(phone);
    const outcome = await this.options.client.send({
      method: 'PUT',
      path: `${PATH}/${entry.id}?responseFetchPlan=_local`,
      body: { phone },
      headers: { 'if-match': `"${entry.version}."` },
    });
    // A 412 is the trace of an earlier request that came late.
    if (outcome.kind === 'done') this.adopt(entry, jsonOf<Customer>(outcome), 'an update');
  }

  private async lookAt(entry: LedgerEntry): Promise<void> {
    const outcome = await this.options.client.send({ method: 'GET', path: `${PATH}/${entry.id}?fetchPlan=_local` });
    if (outcome.kind === 'refused' && outcome.status === 404) this.options.complaints.add(`${entry.name} is lost`);
    if (outcome.kind !== 'done') return;
    const found = jsonOf<Customer>(outcome);
    if (found.version === entry.version && found.phone === entry.phone) await this.update(entry);
    else this.adopt(entry, found, 'a read');
  }

  private adopt(entry: LedgerEntry, found: Customer, reader: string): void {
    if (found.version !== entry.version + 1 || !this.sent.has(found.phone))
      this.options.complaints.add(
        `${entry.name} in ${reader}: version ${found.version}, value ${found.phone} after ${entry.version}, ${entry.phone}`,
      );
    entry.version = found.version;
    entry.phone = found.phone;
    this.sent.clear();
    this.updates += 1;
  }
}
