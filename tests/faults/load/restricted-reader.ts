import type { Complaints } from './complaints.ts';
import type { InstanceLedger } from './instance-ledger.ts';
import { jsonOf, type LoadClient, type LoadRequest } from './load-client.ts';

/** The only country whose customers the clerk of the demo may see. */
const OWN_COUNTRY = 'DE';
const OTHER_COUNTRY = 'FR';
const PATH = '/rest/entities/sales_Customer';

/** The attribute that the user may not see is asked for, too. */
const PLAN = encodeURIComponent(
  JSON.stringify({ entity: 'sales_Customer', properties: ['name', 'creditLimit', 'address.country'] }),
);

interface Row {
  readonly name: string;
  readonly address?: { readonly country?: string };
  readonly creditLimit?: unknown;
}

/** Reads as a user with row-level limits: no response may hold, change or admit what belongs to others. */
export class RestrictedReader {
  private readonly client: LoadClient;
  private readonly ledger: InstanceLedger;
  private readonly complaints: Complaints;
  private readonly random: () => number;
  private count = 0;

  constructor(client: LoadClient, ledger: InstanceLedger, complaints: Complaints, random: () => number) {
    this.client = client;
    this.ledger = ledger;
    this.complaints = complaints;
    this.random = random;
  }

  async step(): Promise<void> {
    this.count += 1;
    const steps = [() => this.list(), () => this.readForeign(), () => this.list(), () => this.askWho()];
    await steps[this.count % steps.length]?.();
  }

  private async list(): Promise<void> {
    const outcome = await this.client.send({
      method: 'GET',
      path: `${PATH}?limit=20&sort=-createdDate&fetchPlan=${PLAN}`,
    });
    if (outcome.kind !== 'done') return;
    for (const { name, address, creditLimit } of jsonOf<readonly Row[]>(outcome)) {
      if (address?.country !== OWN_COUNTRY) this.complaints.add(`the restricted user was shown ${name}`);
      if (creditLimit !== undefined) this.complaints.add(`the restricted user was shown a credit limit of ${name}`);
    }
  }

  /** What others have is not there, whether it is read or written. */
  private async readForeign(): Promise<void> {
    const entry = this.ledger.anyOf(OTHER_COUNTRY, this.random);
    if (entry === undefined) return;
    const path = `${PATH}/${entry.id}`;
    const request: LoadRequest =
      this.count % 8 === 1 ? { method: 'PUT', path, body: { phone: 'stolen' } } : { method: 'GET', path };
    const outcome = await this.client.send(request);
    if (outcome.kind === 'done') this.complaints.add(`${request.method} of ${entry.name} by the restricted user`);
  }

  private async askWho(): Promise<void> {
    const outcome = await this.client.send({ method: 'GET', path: '/rest/userInfo' });
    if (outcome.kind !== 'done') return;
    const { username } = jsonOf<{ readonly username: string }>(outcome);
    if (username !== this.client.username) this.complaints.add(`${this.client.username} was taken for ${username}`);
  }
}
