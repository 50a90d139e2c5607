import type { Connection } from '../connection/create-connection.ts';
import { createEntityClient } from '../entities/create-entity-client.ts';
import type { EntityClient } from '../entities/entity-client.ts';
import { parseNumbers } from '../json/parse-exact.ts';
import { typeNumbers } from '../json/type-numbers.ts';
import type { ApiTypes } from '../model/api-types.ts';
import { createHistoryClient, type HistoryClient, type InstanceChange, typeChange } from './create-history-client.ts';

/** An instance that a write would change, as the caller may see it. */
export interface RehearsedChange extends Pick<InstanceChange, 'attributes'> {
  readonly entity: string;
  readonly id: unknown;
  readonly change: InstanceChange['operation'];
}

/** Effects of a write that was taken back. */
export interface Rehearsal {
  /** All instances that would change, also by listeners and as children. */
  readonly changes: readonly RehearsedChange[];
  /** The events that would follow. */
  readonly events: readonly { readonly type: string; readonly subject: string }[];
}

/**
 * Executes one write and takes it back: nothing is stored. Rejects where the write would be refused.
 *
 * @param write calls one method that changes something
 * @example const { changes } = await rehearse(client, (dry) => dry.remove('sales_Order', id))
 */
export async function rehearse<A extends ApiTypes>(
  { connection }: EntityClient<A> & { readonly connection: Connection },
  write: (dry: EntityClient<A> & HistoryClient<A>) => Promise<unknown>,
): Promise<Rehearsal> {
  const { numbers } = connection;
  const parse = (json: string): unknown => {
    const parsed = parseNumbers(json) as Rehearsal;
    for (const change of parsed.changes) typeChange(change, numbers, change.entity);
    return typeNumbers(parsed, numbers);
  };
  let rehearsal: Rehearsal | undefined;
  const dry: Connection = {
    ...connection,
    async read({ headers, ...call }) {
      const prefer = [headers?.['prefer'], 'tx=rollback'].filter(Boolean).join(', ');
      const reply = await connection.read({ ...call, headers: { ...headers, prefer }, repeatable: true, parse });
      const { result, ...rest } = reply.body as Rehearsal & { readonly result?: unknown };
      rehearsal = rest;
      return { ...reply, body: result };
    },
  };
  await write({ ...createEntityClient<A>(dry), ...createHistoryClient<A>(dry) });
  if (rehearsal === undefined) throw new TypeError('Nothing was written');
  return rehearsal;
}
