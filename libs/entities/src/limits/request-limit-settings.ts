import { defineSettings, integerValue, type SettingsOf, setting, settingMap, sizeBytesValue } from '@lintel/config';
import { z } from 'zod';

const count = () => integerValue({ min: 1 });
/** Deeper statements exhaust the stack of the database. */
const depth = () => integerValue({ min: 1, max: 200 });
const KIBIBYTE = 1024;

/** Members of `svc.rest.limits.role.<role>`: each replaces the general limit if it is higher. */
const roleSchema = z.object({
  'plan-nodes': count().optional(),
  'plan-depth': depth().optional(),
  'path-hops': count().optional(),
  'to-many-steps': count().optional(),
  conditions: count().optional(),
  'condition-hops': count().optional(),
  'list-values': count().optional(),
  'statement-size': sizeBytesValue().optional(),
  'statement-parameters': integerValue({ min: 1, max: 65_535 }).optional(),
  'batch-items': count().optional(),
  'graph-nodes': count().optional(),
  'response-nodes': count().optional(),
});

const ROLE_MEMBERS: Readonly<Record<keyof z.infer<typeof roleSchema>, string>> = {
  'plan-nodes': 'Raises `svc.rest.limits.plan-nodes` for users with the role',
  'plan-depth': 'Raises `svc.rest.limits.plan-depth` for users with the role',
  'path-hops': 'Raises `svc.rest.limits.path-hops` for users with the role',
  'to-many-steps': 'Raises `svc.rest.limits.to-many-steps` for users with the role',
  conditions: 'Raises `svc.rest.limits.conditions` for users with the role',
  'condition-hops': 'Raises `svc.rest.limits.condition-hops` for users with the role',
  'list-values': 'Raises `svc.rest.limits.list-values` for users with the role',
  'statement-size': 'Raises `svc.rest.limits.statement-size` for users with the role',
  'statement-parameters': 'Raises `svc.rest.limits.statement-parameters` for users with the role',
  'batch-items': 'Raises `svc.rest.limits.batch-items` for users with the role',
  'graph-nodes': 'Raises `svc.rest.limits.graph-nodes` for users with the role',
  'response-nodes': 'Raises `svc.rest.limits.response-nodes` for users with the role',
};

/**
 * The size of one request (contract/decisions.md#74). A request above a limit is refused with 400 `REQ_COST_EXCEEDED`,
 * which names the limit and its property, before a statement is sent.
 */
export const requestLimitSettings = defineSettings({
  planNodes: setting(
    'svc.rest.limits.plan-nodes',
    count().default(500),
    'Maximum number of objects in a resolved fetch plan: the root, each reference, collection and embedded object, and each reference that an instance name shows',
  ),
  planDepth: setting('svc.rest.limits.plan-depth', depth().default(40), 'Maximum nesting of a resolved fetch plan'),
  pathHops: setting(
    'svc.rest.limits.path-hops',
    count().default(12),
    'Maximum number of references in one path of a filter or sort',
  ),
  toManySteps: setting(
    'svc.rest.limits.to-many-steps',
    count().default(10),
    'Maximum number of steps through collections in all paths of a filter; a prefix that several conditions of one OR group share counts once',
  ),
  conditions: setting(
    'svc.rest.limits.conditions',
    count().default(1_000),
    'Maximum number of conditions in a filter, and of keys in a sort',
  ),
  conditionHops: setting(
    'svc.rest.limits.condition-hops',
    count().default(1_000),
    'Maximum number of references in all paths of a filter and sort together',
  ),
  listValues: setting(
    'svc.rest.limits.list-values',
    count().default(10_000),
    'Maximum number of values of all lists in a filter, or of the collection parameters of a query',
  ),
  statementBytes: setting(
    'svc.rest.limits.statement-size',
    sizeBytesValue().default(256 * KIBIBYTE),
    'Maximum length of the SQL statement that a request is compiled to',
  ),
  statementParameters: setting(
    'svc.rest.limits.statement-parameters',
    integerValue({ min: 1, max: 65_535 }).default(10_000),
    'Maximum number of parameters of that statement; PostgreSQL accepts 65535',
  ),
  batchItems: setting(
    'svc.rest.limits.batch-items',
    count().default(1_000),
    'Maximum number of instances in the array of a create, update or delete request, and of operations in a JSON Patch',
  ),
  graphNodes: setting(
    'svc.rest.limits.graph-nodes',
    count().default(10_000),
    'Maximum number of objects in the body of a create, update or service request, nested ones included; items of lists count too',
  ),
  responseNodes: setting(
    'svc.rest.limits.response-nodes',
    count().default(2_000_000),
    'Maximum number of rows of a page, times the objects of its fetch plan; of a list without a `limit`, the rows that there are',
  ),
  role: settingMap(
    'svc.rest.limits.role',
    roleSchema,
    'Higher limits for users with a resource role: `svc.rest.limits.role.<role code>.<limit>`',
    { memberDescriptions: ROLE_MEMBERS },
  ),
});

export type RequestLimitConfig = SettingsOf<typeof requestLimitSettings>;
