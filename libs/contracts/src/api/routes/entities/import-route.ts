import { EXPORT_TYPES } from '../../../export-types.ts';
import {
  COUNT,
  inHeader,
  inQuery,
  json,
  jsonText,
  listOf,
  objectOf,
  type RouteDescription,
  ref,
  routeOf,
  STRING,
} from '../../route-description.ts';
import { entityNameParameter } from './entity-subject.ts';
import { acceptedRun } from './service-routes.ts';

const oneOf = (...values: readonly string[]) => ({ type: 'string', enum: values });

const REPORT = {
  rows: COUNT,
  created: COUNT,
  updated: COUNT,
  unchanged: COUNT,
  deleted: { ...COUNT, description: 'With `mode=delete`' },
  refused: COUNT,
  isStopped: { type: 'boolean' },
  errors: listOf(objectOf({ row: COUNT, column: STRING, attribute: STRING, reason: STRING }, ['row', 'reason'])),
  ignored: listOf(STRING),
  change: { ...STRING, description: 'Of an entity with a history: the recorded change, which can be undone' },
  changes: listOf(
    objectOf({
      entity: STRING,
      id: {},
      change: { type: 'string', enum: ['created', 'updated', 'deleted'] },
      attributes: listOf(objectOf({ attribute: STRING, old: {}, new: {} }, ['attribute'])),
    }),
  ),
  events: listOf(objectOf({ type: STRING, subject: STRING })),
  columns: listOf(objectOf({ column: STRING, attribute: { type: ['string', 'null'] } })),
  decimal: oneOf('.', ','),
  dateOrder: oneOf('dmy', 'mdy'),
};
const COUNTS = ['rows', 'created', 'updated', 'unchanged', 'refused', 'errors', 'ignored', 'columns'];

/** Creates and changes instances from a file. `path` is e.g. `/rest/imports`. */
export const importRoute = (path: string, exampleEntity?: string): RouteDescription =>
  routeOf('Entities')('post', `${path}/{entityName}`, 'importEntities', {
    summary: 'Imports instances from CSV, NDJSON or a workbook',
    description:
      'Each row creates or changes an instance, with the rights, rules and listeners of an upsert. Without `refused=skip` all rows are imported, or none.',
    parameters: [
      entityNameParameter(exampleEntity),
      inQuery(
        'mode',
        'Whether instances are created, updated, both, or deleted; `create` without `key`, else `upsert`',
        oneOf('create', 'update', 'upsert', 'delete'),
      ),
      inQuery('key', 'Attributes of a unique constraint with commas, by which instances are found; `id` without it'),
      inQuery('refused', 'Whether refused rows stop the import (default) or are left out', oneOf('stop', 'skip')),
      inQuery('empty', 'Whether empty cells are null (default) or leave the attribute out', oneOf('null', 'skip')),
      inQuery(
        'columns',
        'Attributes by the header of their column, null to skip it',
        jsonText({ type: 'object', additionalProperties: { type: ['string', 'null'] } }, {}),
      ),
      inQuery(
        'delimiter',
        'Character between cells; the most frequent of `,` `;` `|` and tab in the header without it',
        { type: 'string', maxLength: 1 },
      ),
      inQuery('decimal', 'Of CSV: the decimal sign; found by cells without it', oneOf('.', ',')),
      inQuery('dateOrder', 'Of CSV: the order of days and months; found by cells without it', oneOf('dmy', 'mdy')),
      inQuery('dryRun', '`true` rolls everything back, as the preference does', oneOf('true', 'false')),
      inHeader('Idempotency-Key', 'A repeated request has the first response, of a stored file the same run'),
      inHeader(
        'Prefer',
        '`tx=rollback` rolls everything back; the response is the one of the import. `handling=strict` refuses rows with members without an effect',
      ),
    ],
    request: {
      description:
        'The table; `charset` of its type names an encoding other than UTF-8. JSON names an uploaded file, which is imported in the background',
      content: {
        [EXPORT_TYPES.csv]: STRING,
        'application/json': ref('StoredTable'),
        [EXPORT_TYPES.ndjson]: STRING,
        [EXPORT_TYPES.xlsx]: { type: 'string', format: 'binary' },
      },
      examples: {
        [EXPORT_TYPES.csv]: 'name\nfragile\n',
        'application/json': {
          file: 'fs://2026/11/30/0193f7a0-8d3f-7c1e-9d0a-5f2b7c1e9d0a.csv?name=tags.csv',
          type: EXPORT_TYPES.csv,
        },
        [EXPORT_TYPES.ndjson]: '{"name":"fragile"}\n',
      },
      required: true,
    },
    responses: {
      200: json('Numbers of rows, refused ones, and the attributes of the columns', objectOf(REPORT, COUNTS)),
      202: acceptedRun('a stored file'),
      400: json(
        'Nothing was imported: a mistake in the request or the file, or refused rows',
        objectOf({ error: STRING, details: STRING, ...REPORT }, ['error', 'details']),
      ),
    },
    errors: [406, 409, 422],
  });
