import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '@lintel/contracts';
import { createEnvelope } from '@lintel/events';
import type { Database } from '@lintel/persistence';

/** What the writers know for certain: the events whose transaction was committed, per subject in order. */
export interface Ledger {
  readonly committed: ReadonlyMap<string, readonly string[]>;
  committedCount(): number;
  /** Lets the writers finish their transaction in hand. */
  stop(): Promise<void>;
}

/** The number that a writer put into its event. */
export const numberOf = (envelope: Envelope): number => Number((envelope.data as { by: string }).by);

/** The table that the writers change, and the one in which consumers write down what they handled. */
export const LEDGER_TABLES = [
  'CREATE TABLE counter (subject text PRIMARY KEY, value int NOT NULL)',
  `CREATE TABLE received (
  position bigint GENERATED ALWAYS AS IDENTITY,
  event_id text NOT NULL UNIQUE,
  subject text NOT NULL,
  number int NOT NULL
)`,
];

class RolledBack extends Error {}

/**
 * Starts writers that change a counter and append its event in one transaction. Every seventh transaction
 * is rolled back: its event must never be seen.
 */
export async function startWriters(
  database: Database,
  options: { readonly subjects: number; readonly writers: number; readonly pauseMs: number },
): Promise<Ledger> {
  const subjects = Array.from({ length: options.subjects }, (_, index) => `sales_Order/${index}`);
  for (const subject of subjects) {
    await database.query({ text: 'INSERT INTO counter VALUES ($1, 0)', values: [subject] });
  }
  const committed = new Map<string, string[]>(subjects.map((subject) => [subject, []]));
  let writing = true;
  let count = 0;

  const write = async (): Promise<void> => {
    while (writing) {
      count += 1;
      const subject = subjects[count % subjects.length] ?? '';
      const rollBack = count % 7 === 0;
      try {
        const { id, value } = await change(database, subject, rollBack);
        const ids = committed.get(subject) ?? [];
        ids[value - 1] = id;
      } catch (error) {
        if (!(error instanceof RolledBack)) throw error;
      }
      await sleep(options.pauseMs);
    }
  };
  const running = Promise.all(Array.from({ length: options.writers }, write));
  return {
    committed,
    committedCount: () => [...committed.values()].reduce((sum, ids) => sum + ids.length, 0),
    stop: async () => {
      writing = false;
      await running;
    },
  };
}

async function change(
  database: Database,
  subject: string,
  rollBack: boolean,
): Promise<{ readonly id: string; readonly value: number }> {
  const id = randomUUID();
  const type = 'data.entity.changed.v1';
  const value = await database.transaction(async (transaction) => {
    const [row] = await transaction.query<{ value: number }>({
      name: 'count',
      text: 'UPDATE counter SET value = value + 1 WHERE subject = $1 RETURNING value',
      values: [subject],
    });
    const counted = row?.value ?? Number.NaN;
    const envelope = createEnvelope({
      owner: 'data',
      type,
      subject,
      data: { entity: 'sales_Order', id: subject, change: 'updated', attributes: ['status'], by: String(counted) },
      id,
      time: new Date(),
    });
    await transaction.appendEvents([{ id, type, subject, envelope }]);
    if (rollBack) throw new RolledBack();
    return counted;
  });
  return { id, value };
}
