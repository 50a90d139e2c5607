import { defineSettings, integerValue, type SettingsOf, setting, settingMap } from '@lintel/config';
import { z } from 'zod';

const count = () => integerValue({ min: 1 });

/** Members of `svc.rest.limits.role.<role>`: each replaces the general limit if it is higher. */
const roleSchema = z.object({
  'list-values': count().optional(),
  'batch-items': count().optional(),
  'graph-nodes': count().optional(),
});

/**
 * The size of one request (contract/decisions.md#74). A request above a limit is refused with 400 `REQ_COST_EXCEEDED`,
 * which names the limit, before a statement is sent.
 */
export const requestLimitSettings = defineSettings({
  /** Objects in a resolved fetch plan: the root, each reference, collection and embedded object, and each reference that an instance name shows. The time and memory of the database grow with them. */
  planNodes: 500,
  /** Nesting of a resolved fetch plan: a few hundred levels exhaust the stack of the database, and no document is read by so many. */
  planDepth: 40,
  /** References in one path of a filter or sort; a path through collections multiplies the rows with each. */
  pathHops: 12,
  /** Steps through collections in all paths of a filter, each of which reads the collection again. A prefix that several conditions of one OR group share counts once. */
  toManySteps: 10,
  /** Conditions in a filter, and keys in a sort; the time and memory of planning grow with them. */
  conditions: 1_000,
  /** References in all paths of a filter and sort together: each is a join. */
  conditionHops: 1_000,
  listValues: setting(
    'svc.rest.limits.list-values',
    count().default(10_000),
    'Maximum number of values of all lists in a filter, or of the collection parameters of a query',
  ),
  /** Length of the SQL statement that a request is compiled to; planning takes about 1 MB of the database for each KiB. */
  statementBytes: 256 * 1024,
  /** Parameters of that statement; PostgreSQL accepts 65535, and a list is one. */
  statementParameters: 10_000,
  batchItems: setting(
    'svc.rest.limits.batch-items',
    count().default(1_000),
    'Maximum number of instances in one request to create, update or delete, and of operations in a JSON Patch',
  ),
  graphNodes: setting(
    'svc.rest.limits.graph-nodes',
    count().default(10_000),
    'Maximum number of objects in the body of a create, update or service request',
  ),
  /** Rows of a page, times the objects of its fetch plan; of a list without a `limit`, the existing rows. */
  responseNodes: 2_000_000,
  role: settingMap(
    'svc.rest.limits.role',
    roleSchema,
    'Raises the limit `svc.rest.limits.…` of this name for users with the resource role',
  ),
});

export type RequestLimitConfig = SettingsOf<typeof requestLimitSettings>;
