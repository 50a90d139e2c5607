import type { Application } from '@lintel/application';
import { historyTablesOf } from '@lintel/metadata';
import { createClient } from '@lintel/persistence';
import { describeTables } from '@lintel/schema';

/** Gives the orders of an application a history, and a database the triggers for it. */
export async function recordOrders<A extends Application>(application: A, databaseUrl: string): Promise<A> {
  const entities = new Map(
    [...application.model.entities].map(([name, entity]) => [
      name,
      name === 'sales_Order' ? { ...entity, history: {} } : entity,
    ]),
  );
  const model = { ...application.model, entities };
  const client = createClient(databaseUrl, 'bench');
  await client.connect();
  const recorded = new Set(historyTablesOf(application.model).map(({ name }) => name));
  for (const { name, triggers = [] } of describeTables(model))
    if (!recorded.has(name)) for (const { definition } of triggers) await client.query(definition);
  await client.end();
  return { ...application, model };
}
