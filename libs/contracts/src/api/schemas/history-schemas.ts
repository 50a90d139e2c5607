import { z } from 'zod';
import { listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';
import { schemasOf } from './schemas-of.ts';

/** The body of a request that restores a former state (contract/history.md#restore). */
export const restoreBody = z.strictObject({
  time: z.iso
    .datetime({ offset: true })
    .transform((time) => new Date(time).toISOString())
    .describe('The point in time'),
  attributes: z.array(z.string().max(255)).min(1).max(1_000).optional().describe('Only these attributes'),
});

/** The operations that read instances (contract/access-log.md#recorded). */
const READ_OPERATIONS = [
  ...['read', 'list', 'search', 'bin', 'query', 'service', 'controller', 'report', 'file', 'history'],
  ...['write', 'webhook', 'preview', 'other'],
] as const;

const CHANGED: Readonly<Record<string, Schema>> = {
  operation: { type: 'string', enum: ['created', 'updated', 'deleted'] },
  attributes: listOf(
    objectOf(
      {
        attribute: STRING,
        old: {},
        new: {},
        masked: { type: 'boolean', description: 'Always true: personal values that differ are left out' },
      },
      ['attribute'],
    ),
  ),
  children: {
    ...listOf(ref('ChildChange')),
    description: 'Composition children that differ',
  },
};

const CHANGE: Readonly<Record<string, Schema>> = {
  change: { type: 'string', format: 'uuid', description: 'Of the transaction' },
  time: { type: 'string', format: 'date-time' },
  user: STRING,
  client: STRING,
  session: STRING,
  service: { ...STRING, description: 'The service that acted for the user' },
  databaseUser: { ...STRING, description: 'The login of the database, if no user of the API wrote' },
  reason: { ...STRING, description: '`X-Change-Reason` of the request' },
  trace: STRING,
  secrets: {
    ...listOf(STRING),
    description: 'Attributes with another value that is not kept: secret ones and erased ones',
  },
  ...CHANGED,
};
const CHANGE_REQUIRED = ['change', 'time', 'operation', 'attributes'];

/** The schemas of recorded changes. */
export const historySchemas = (): Readonly<Record<string, Schema>> => ({
  ...schemasOf({ Restore: restoreBody }),
  InstanceChange: objectOf(CHANGED, ['operation', 'attributes']),
  ChildChange: objectOf({ attribute: STRING, entity: STRING, id: {}, ...CHANGED }, [
    'attribute',
    'entity',
    'id',
    'operation',
    'attributes',
  ]),
  UndoneInstance: objectOf({ entity: STRING, id: {}, operation: CHANGED['operation'] as Schema }, [
    'entity',
    'id',
    'operation',
  ]),
  HistoryChange: objectOf(CHANGE, CHANGE_REQUIRED),
  AccessEntry: objectOf(
    {
      time: CHANGE['time'] as Schema,
      user: STRING,
      seenAs: { ...STRING, description: 'Whose rights the user had, who saw what this other user sees' },
      client: STRING,
      session: STRING,
      service: CHANGE['service'] as Schema,
      trace: STRING,
      operation: {
        type: 'string',
        enum: [...READ_OPERATIONS],
        description: 'In which operation the instances were read',
      },
      entity: STRING,
      ids: { ...listOf(STRING), description: 'As in paths; none of rows of values' },
      count: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
    },
    ['time', 'user', 'operation', 'entity', 'count'],
  ),
  EntityChange: objectOf({ entity: STRING, id: {}, ...CHANGE }, ['entity', 'id', ...CHANGE_REQUIRED]),
});
