import { createHistoryClient } from '@lintel/client';
import { entityOf, type ProviderOptions } from '../records/record-model.ts';
import { toId } from '../records/records.ts';

type Values = Record<string, unknown>;

/** A recorded change, as Refine shows it. */
export interface AuditLog {
  id: string;
  action: 'create' | 'update' | 'delete';
  resource: string;
  createdAt: string;
  author: { name: string | undefined };
  /** The reason of the change. */
  name: string | undefined;
  data: Values;
  previousData: Values;
  meta: { id: string | number };
}

/** Request of `useLogList`; the id of the record is in `meta`. */
export interface AuditLogParams {
  readonly resource: string;
  readonly meta?: { readonly id?: string | number } | undefined;
}

/** Logs of one request. */
const LIMIT = 100;
const ACTIONS = { created: 'create', updated: 'update', deleted: 'delete' } as const;

/** An audit log provider of Refine by the recorded history, which the server writes itself. */
export function createAuditLogProvider({ client, resources }: ProviderOptions) {
  const { history } = createHistoryClient(client.connection);
  return {
    async get({ resource, meta }: AuditLogParams): Promise<AuditLog[]> {
      const id = meta?.id;
      if (id === undefined) return [];
      const { items } = await history(entityOf(resources, resource), toId(id)).page({ limit: LIMIT });
      return items.map(({ change, operation, time, user, databaseUser, reason, attributes }) => ({
        ...{ id: change, action: ACTIONS[operation], resource, createdAt: time, name: reason, meta: { id } },
        author: { name: user ?? databaseUser },
        data: Object.fromEntries(attributes.map((each) => [each.attribute, each.new])),
        previousData: Object.fromEntries(attributes.map((each) => [each.attribute, each.old])),
      }));
    },
  };
}
