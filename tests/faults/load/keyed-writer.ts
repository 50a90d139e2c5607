import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Complaints } from './complaints.ts';
import type { InstanceLedger, LedgerEntry } from './instance-ledger.ts';
import { jsonOf, type LoadClient, type LoadRequest } from './load-client.ts';

const PATH = '/rest/entities/sales_Customer';
const ASK_AGAIN_MS = 150;
/** As long as this a caller goes on asking for the outcome of one request. */
const PATIENCE_MS = 60_000;
const MAX_INSTANCES = 6;
/** The restricted user sees one of them. */
export const COUNTRIES = ['DE', 'FR'] as const;

interface Customer {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly phone: string;
}

export interface KeyedWriterOptions {
  readonly client: LoadClient;
  readonly ledger: InstanceLedger;
  readonly complaints: Complaints;
  /** In front of all names that it gives. */
  readonly prefix: string;
  readonly random: () => number;
  /** Whether everything travels in requests for several instances. */
  readonly inBatches: boolean;
}

/**
 * Creates, updates and deletes customers of its own. Each request has an `Idempotency-Key` and is sent until its
 * outcome is known: so everything is known for certain, whatever breaks.
 */
export class KeyedWriter {
  private readonly options: KeyedWriterOptions;
  private readonly own: LedgerEntry[] = [];
  private count = 0;

  constructor(options: KeyedWriterOptions) {
    this.options = options;
  }

  async step(): Promise<void> {
    const { random, inBatches } = this.options;
    const many = inBatches ? 3 : 1;
    const choice = random();
    if (this.own.length < many || (choice < 0.2 && this.own.length < MAX_INSTANCES * many)) await this.create(many);
    else if (choice < 0.3) await this.delete(this.own.splice(0, many));
    else if (choice < 0.5) await this.look();
    else await this.update(this.own.slice(0, many));
  }

  private async create(many: number): Promise<void> {
    const { prefix, ledger, complaints } = this.options;
    const wanted = Array.from({ length: many }, () => {
      this.count += 1;
      const country = COUNTRIES[this.count % COUNTRIES.length] ?? '';
      return { name: `${prefix} ${this.count}`, phone: '0', address: { country } };
    });
    const made = await this.commit<Customer>('POST', `${PATH}?responseFetchPlan=_local`, wanted, many);
    for (const [index, { name, phone, address }] of wanted.entries()) {
      const created = made?.[index];
      if (created === undefined) continue;
      if (created.name !== name) complaints.add(`${name} was returned as ${created.name}`);
      this.own.push(
        ledger.add({ id: created.id, name, phone, country: address.country, version: 1, isDeleted: false }),
      );
    }
  }

  private async update(entries: readonly LedgerEntry[]): Promise<void> {
    const phones = entries.map(({ phone }) => String(Number(phone) + 1));
    const bodies = entries.map(({ id }, index) =>
      this.options.inBatches ? { id, phone: phones[index] } : { phone: phones[index] },
    );
    const path = this.options.inBatches ? PATH : `${PATH}/${entries[0]?.id}`;
    const made = await this.commit<Customer>('PUT', `${path}?responseFetchPlan=_local`, bodies, entries.length);
    if (made === undefined) return;
    for (const [index, entry] of entries.entries()) {
      entry.version += 1;
      entry.phone = phones[index] ?? '';
      this.compare(entry, made[index], 'the response of an update');
    }
  }

  private async delete(entries: readonly LedgerEntry[]): Promise<void> {
    const ids = entries.map(({ id }) => id);
    const done = this.options.inBatches
      ? await this.commit('DELETE', PATH, ids, entries.length)
      : await this.commit('DELETE', `${PATH}/${ids[0]}`, [], 0);
    if (done !== undefined) for (const entry of entries) entry.isDeleted = true;
  }

  /** Reads what it wrote last: nobody else changes it. */
  private async look(): Promise<void> {
    const entry = this.own[0];
    if (entry === undefined) return;
    const outcome = await this.options.client.send({ method: 'GET', path: `${PATH}/${entry.id}?fetchPlan=_local` });
    if (outcome.kind === 'refused' && outcome.status === 404) this.options.complaints.add(`${entry.name} is lost`);
    if (outcome.kind === 'done') this.compare(entry, jsonOf<Customer>(outcome), 'a read');
  }

  private compare(entry: LedgerEntry, found: Customer | undefined, reader: string): void {
    if (found?.version === entry.version && found.phone === entry.phone) return;
    this.options.complaints.add(
      `${entry.name} in ${reader}: version ${found?.version}, value ${found?.phone} instead of ${entry.version}, ${entry.phone}`,
    );
  }

  /** Sends the request until it is known to be carried out; returns what it made. */
  private async commit<T>(
    method: string,
    path: string,
    bodies: readonly unknown[],
    many: number,
  ): Promise<readonly T[] | undefined> {
    const { client, complaints, inBatches } = this.options;
    const body = inBatches ? bodies : bodies[0];
    const request: LoadRequest = { method, path, body, headers: { 'idempotency-key': randomUUID() } };
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline) {
      const outcome = await client.send(request);
      if (outcome.kind === 'done') {
        if (method === 'DELETE' || many === 0) return [];
        return inBatches ? jsonOf<readonly T[]>(outcome) : [jsonOf<T>(outcome)];
      }
      const mayComeLater = outcome.kind === 'cut' || outcome.status >= 500 || outcome.status === 409;
      if (!mayComeLater) {
        complaints.add(`${method} of ${client.username}: ${outcome.status} ${new TextDecoder().decode(outcome.bytes)}`);
        return undefined;
      }
      await sleep(ASK_AGAIN_MS);
    }
    complaints.add(`${method} of ${client.username} has no outcome after ${PATIENCE_MS} ms`);
    return undefined;
  }
}
