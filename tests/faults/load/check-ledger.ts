import { eventually } from '@lintel/testkit';
import type { FaultSystem } from '../system/fault-system.ts';
import type { Complaints } from './complaints.ts';
import type { FileUploader } from './file-uploader.ts';
import type { InstanceLedger, LedgerEntry } from './instance-ledger.ts';

/** Files that are read again at the end: the last ones, which were written around the fault. */
const MAX_FILES = 60;

interface StoredCustomer {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly phone: string;
  readonly is_deleted: boolean;
}

interface Checked {
  readonly system: Pick<FaultSystem, 'postgres' | 'events'>;
  readonly prefix: string;
  readonly ledger: InstanceLedger;
  readonly complaints: Complaints;
  readonly eventsWithinMs: number;
}

/** Compares what is stored, and what was published, with what the callers received. */
export async function checkLedger(checked: Checked): Promise<void> {
  const { system, prefix, ledger, complaints } = checked;
  const stored = await system.postgres.query<StoredCustomer>(
    `SELECT id, name, version, phone, deleted_date IS NOT NULL AS is_deleted FROM sales.customer
     WHERE starts_with(name, $1)`,
    [prefix],
  );
  checkInstances(stored, ledger, complaints);
  await checkEvents(checked, stored);
}

function checkInstances(stored: readonly StoredCustomer[], ledger: InstanceLedger, complaints: Complaints): void {
  const byId = new Map(stored.map((row) => [row.id, row]));
  for (const entry of ledger.entries) {
    const row = byId.get(entry.id);
    byId.delete(entry.id);
    if (row === undefined) complaints.add(`${entry.name} was acknowledged and is not stored`);
    else checkInstance(entry, row, complaints);
  }
  const names = new Set<string>();
  for (const { name } of byId.values()) {
    if (!ledger.uncertainNames.has(name)) complaints.add(`${name} is stored twice`);
    if (names.has(name)) complaints.add(`${name} has no outcome and is stored twice`);
    names.add(name);
  }
}

function checkInstance(entry: LedgerEntry, row: StoredCustomer, complaints: Complaints): void {
  const expected = `version ${entry.version}, value ${entry.phone}, deleted ${entry.isDeleted}`;
  // Marking it as deleted is a change as well.
  const found = `version ${row.is_deleted ? row.version - 1 : row.version}, value ${row.phone}, deleted ${row.is_deleted}`;
  if (found !== expected) complaints.add(`${entry.name} is stored with ${found} instead of ${expected}`);
}

/** Every committed change has an event, and the consumer has seen them all, in the order of the changes. */
async function checkEvents(
  { system: { postgres, events }, complaints, eventsWithinMs }: Checked,
  stored: readonly StoredCustomer[],
): Promise<void> {
  const published = await postgres.query<{ event_id: string; instance_id: string }>(
    `SELECT envelope ->> 'id' AS event_id, envelope #>> '{data,id}' AS instance_id FROM events.outbox
     WHERE envelope ->> 'type' = 'data.entity.changed.v1' AND envelope #>> '{data,id}' = ANY ($1) ORDER BY position`,
    [stored.map(({ id }) => id)],
  );
  const idsOf = Map.groupBy(published, ({ instance_id }) => instance_id);
  const missing = (): readonly string[] =>
    stored.flatMap(({ id, name }) => {
      const expected = (idsOf.get(id) ?? []).map(({ event_id }) => event_id);
      const seen = events.eventsOf(id).map((event) => event.id);
      return JSON.stringify(seen) === JSON.stringify(expected)
        ? []
        : [`the consumer saw ${seen.length} events of ${name} instead of ${expected.length}, or in another order`];
    });
  await eventually(
    () => {
      if (missing().length > 0) throw new Error('events are on their way');
    },
    { timeoutMs: eventsWithinMs, intervalMs: 50 },
  ).catch(() => {
    for (const text of missing()) complaints.add(text);
  });
  for (const { id, name, version, is_deleted } of stored) {
    const changes = events.eventsOf(id).map(({ change }) => change);
    const updates = is_deleted ? version - 2 : version - 1;
    const expected = ['created', ...Array<string>(updates).fill('updated'), ...(is_deleted ? ['deleted'] : [])];
    if (changes.join() !== expected.join())
      complaints.add(`${name}, version ${version}: the events say ${changes.join()}`);
  }
}

/** Reads the files that were acknowledged last; each is to be there, with its bytes. */
export async function checkFiles(
  uploader: FileUploader,
  ledger: InstanceLedger,
  complaints: Complaints,
): Promise<void> {
  for (const fileRef of [...ledger.files.keys()].slice(-MAX_FILES))
    if (!(await uploader.compare(fileRef))) complaints.add(`the file ${fileRef} cannot be read`);
}
