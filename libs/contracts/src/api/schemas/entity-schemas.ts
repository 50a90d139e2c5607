import { z } from 'zod';
import { BOOLEAN, COUNT, listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';
import { DELETED_VALUES, SEARCH_TEXT } from '../routes/parameters.ts';
import { schemasOf } from './schemas-of.ts';

/** A stored file that is imported (contract/imports.md#background). */
export const importBody = z.strictObject({
  file: z.string().max(2_000).describe('The reference of the file'),
  type: z.string().max(255).describe('Its content type: CSV, NDJSON or a workbook; `charset` names an encoding'),
});

const COMPARISONS = ['=', '<>', '>', '>=', '<', '<='];
const OPERATORS = [
  ...COMPARISONS,
  ...['contains', 'doesNotContain', 'startsWith', 'endsWith', 'in', 'notIn', 'under', 'above'],
  ...['notEmpty', 'isNull'],
];

const AGGREGATE_FUNCTIONS = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max', 'percentile'];

/** A test of the members of a collection, each as a whole. */
const membersCondition = (test: string, description: string, more: Readonly<Record<string, Schema>> = {}): Schema => ({
  description,
  ...objectOf(
    { [test]: { type: 'string', description: 'Path of a collection' }, ...more, conditions: ref('Conditions') },
    [test, ...Object.keys(more)],
  ),
});

/** The members of a predefined query besides its parameters. */
const QUERY: Readonly<Record<string, Schema>> = {
  name: STRING,
  jpql: { type: 'string', description: 'Text in the entity query language' },
  entityName: STRING,
  viewName: { type: ['string', 'null'], description: 'The same as `fetchPlanName`, for older clients' },
  fetchPlanName: { type: ['string', 'null'], description: 'Null for queries that select values' },
  limit: { type: ['integer', 'null'] },
  offset: { type: ['integer', 'null'] },
  cacheable: BOOLEAN,
  anonymousAllowed: BOOLEAN,
};

/**
 * The schemas of instances, filters and fetch plans (contract/instances.md#object, contract/filters.md#filters,
 * contract/fetch-plans.md#fetch-plans, contract/writing.md#validation).
 */
export const ENTITY_SCHEMAS: Readonly<Record<string, Schema>> = {
  ...schemasOf({ StoredTable: importBody }),
  EntityId: {
    description: 'A text, a number for integer keys, an object for composite keys',
    oneOf: [STRING, { type: 'integer' }, ref('CompositeId')],
  },
  CompositeId: {
    description: 'The parts of a composite key by name',
    // A named member: generators for Java cannot distinguish an object without any from a text.
    ...objectOf({ _entityName: STRING }, []),
    additionalProperties: true,
  },
  Entity: {
    description: 'An instance: system members and the attributes of the fetch plan',
    ...objectOf({ _entityName: STRING, _instanceName: STRING, id: ref('EntityId') }, []),
    additionalProperties: true,
  },
  JsonPatch: { description: 'Operations, in the order of their execution', ...listOf(ref('JsonPatchOperation')) },
  JsonPatchOperation: objectOf(
    {
      op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
      path: { type: 'string', description: 'JSON Pointer to an attribute, a member by its id, or a part of a value' },
      from: { type: 'string', description: 'JSON Pointer to the source of `move` and `copy`' },
      value: { description: 'The value of `add`, `replace` and `test`' },
    },
    ['op', 'path'],
  ),
  WebhookMessage: objectOf({
    type: { type: 'string', const: 'data.entity.changed.v1' },
    timestamp: { type: 'string', format: 'date-time', description: 'When the change was committed' },
    data: objectOf(
      {
        entity: STRING,
        id: ref('EntityId'),
        change: { type: 'string', enum: ['created', 'updated', 'deleted'] },
        attributes: {
          ...listOf(STRING),
          description: 'Changed attributes that the owner of the webhook may view',
        },
        instance: ref('Entity'),
      },
      ['entity', 'id', 'change'],
    ),
  }),
  ValidationItem: objectOf({
    message: { type: 'string', description: 'Localised text' },
    messageTemplate: { type: 'string', description: 'The unresolved template' },
    path: { type: 'string', description: 'Attribute path from the sent root; empty for rules of the whole instance' },
    invalidValue: { description: 'The value as it was sent' },
  }),
  ValidationFailure: listOf(ref('ValidationItem')),
  // Not `anyOf`: generators of code cannot express an array or an object.
  Refusal: {
    description: 'Violated rules as an array of `ValidationItem`; another mistake of the request as an `Error`',
    if: { type: 'array', items: {} },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: ref('ValidationFailure'),
    else: ref('Error'),
  },
  PasswordRefusal: {
    description: 'Violated rules as an array of `ValidationItem`; another mistake of the request as an `OAuthError`',
    if: { type: 'array', items: {} },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: ref('ValidationFailure'),
    else: ref('OAuthError'),
  },
  FetchPlanProperty: {
    description: 'The name of an attribute or a path of them, or a reference with a plan of its own',
    oneOf: [
      STRING,
      objectOf(
        {
          name: STRING,
          fetchPlan: {
            oneOf: [
              { type: 'string', description: 'Name of a plan of the same entity that is earlier in this plan' },
              ref('NestedFetchPlan'),
            ],
          },
          filter: ref('Filter'),
          q: { ...SEARCH_TEXT, description: 'Words that the members of a collection have' },
          sort: { type: 'string', description: 'Order of the members of a collection, as in a search' },
          limit: COUNT,
          offset: COUNT,
          count: BOOLEAN,
          depth: { ...COUNT, description: 'Levels of children in a tree' },
        },
        ['name'],
      ),
    ],
  },
  NestedFetchPlan: objectOf({ name: STRING, properties: listOf(ref('FetchPlanProperty')) }, ['properties']),
  FetchPlan: objectOf({ name: STRING, entity: STRING, properties: listOf(ref('FetchPlanProperty')) }, [
    'entity',
    'properties',
  ]),
  FetchPlanOrName: { oneOf: [STRING, ref('FetchPlan')] },
  // `valueOf` is no property: tools in JavaScript take the one of `Object.prototype` for it, and fail.
  Condition: {
    description: '`valueOf` instead of `value` is the path of another attribute, with which the attribute is compared',
    ...objectOf(
      {
        property: { type: 'string', description: 'Attribute, or a path such as `customer.name`' },
        operator: { type: 'string', enum: OPERATORS },
        value: {
          description:
            'None for `notEmpty` and `isNull`; an array for `in` and `notIn`; for dates also an object relative to now',
        },
        depth: { ...COUNT, description: 'Of `under` and `above`: levels to the instance that the value names' },
      },
      ['property', 'operator'],
    ),
  },
  ConditionGroup: objectOf({ group: { type: 'string', enum: ['AND', 'OR', 'NOT'] }, conditions: ref('Conditions') }, [
    'group',
  ]),
  SomeCondition: membersCondition('some', 'One member at least meets all conditions'),
  EveryCondition: membersCondition('every', 'Each member meets all conditions'),
  NoneCondition: membersCondition('none', 'No member meets all conditions'),
  CountCondition: membersCondition('count', 'So many members meet all conditions', {
    operator: { type: 'string', enum: COMPARISONS },
    value: COUNT,
  }),
  // Each is an object: generators of code import parts of an alternative that has alternatives, which they do not make.
  ConditionOrGroup: {
    oneOf: ['Condition', 'ConditionGroup', 'SomeCondition', 'EveryCondition', 'NoneCondition', 'CountCondition'].map(
      ref,
    ),
  },
  Conditions: listOf(ref('ConditionOrGroup')),
  Filter: {
    description: 'All conditions must be met; without conditions, all instances match',
    ...objectOf({ conditions: ref('Conditions') }, []),
  },
  Search: objectOf(
    {
      filter: ref('Filter'),
      q: SEARCH_TEXT,
      highlights: BOOLEAN,
      fetchPlan: ref('FetchPlanOrName'),
      limit: COUNT,
      offset: COUNT,
      cursor: STRING,
      sort: { type: 'string', description: 'Attributes with commas; `-` sorts descending' },
      returnNulls: BOOLEAN,
      dynamicAttributes: BOOLEAN,
      returnCount: BOOLEAN,
      deleted: DELETED_VALUES,
      modelVersion: STRING,
    },
    ['filter'],
  ),
  FoundInstances: objectOf({
    candidates: { type: 'integer', description: 'Number of matches of an entity that are ranked at most' },
    entities: listOf(objectOf({ entityName: STRING, instances: listOf(ref('Entity')) })),
  }),
  GroupBy: { description: 'Values that instances with the same ones are grouped by', ...listOf(ref('Grouping')) },
  // Named: NSwag makes no type for the alternatives of a list.
  Grouping: {
    oneOf: [
      { type: 'string', description: 'Attribute, or a path such as `customer.name`' },
      objectOf(
        {
          attribute: STRING,
          by: { type: 'string', enum: ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] },
          timeZone: { type: 'string', description: 'Zone of the clock; the one of the user without it' },
          as: { type: 'string', description: 'Name in the response' },
          captionAs: {
            type: 'string',
            description: 'Name of the instance name of a reference, or the caption of an enum',
          },
          fill: { type: 'boolean', description: 'Units from the first to the last one without instances are rows' },
        },
        ['attribute'],
      ),
    ],
  },
  // One object: NSwag makes no type for the alternatives of a dictionary.
  Aggregate: {
    description: 'One function with the path of the attribute that is aggregated; `*` counts instances',
    ...objectOf(
      {
        ...Object.fromEntries(AGGREGATE_FUNCTIONS.map((name) => [name, STRING])),
        at: { type: 'number', minimum: 0, maximum: 1, description: 'Of a percentile, which needs it' },
      },
      [],
    ),
    minProperties: 1,
    maxProperties: 2,
  },
  Aggregates: { type: 'object', additionalProperties: ref('Aggregate') },
  AggregateRequest: objectOf(
    {
      groupBy: ref('GroupBy'),
      aggregates: ref('Aggregates'),
      filter: ref('Filter'),
      q: SEARCH_TEXT,
      having: ref('Filter'),
      sort: { type: 'string', description: 'Names of the response with commas; `-` sorts descending' },
      limit: COUNT,
      offset: COUNT,
      cursor: STRING,
      returnCount: BOOLEAN,
    },
    [],
  ),
  CountRequest: objectOf(
    {
      filter: ref('Filter'),
      q: SEARCH_TEXT,
      dynamicAttributes: BOOLEAN,
      deleted: DELETED_VALUES,
      modelVersion: STRING,
    },
    ['filter'],
  ),
  PredefinedQuery: objectOf({ ...QUERY, params: listOf(objectOf({ name: STRING, type: STRING })) }),
  CallableQuery: objectOf({
    ...QUERY,
    returns: { type: 'string', enum: ['instances', 'values'] },
    params: listOf(objectOf({ name: STRING, type: STRING, valueType: ref('ValueType') })),
  }),
  ServiceInfo: objectOf({
    name: STRING,
    methods: listOf(
      objectOf(
        {
          name: STRING,
          httpMethod: { type: ['string', 'null'], description: 'Null for GET and POST' },
          params: listOf(
            objectOf(
              { name: STRING, type: { type: ['string', 'null'] }, required: BOOLEAN, valueType: ref('ValueType') },
              ['name', 'type', 'required'],
            ),
          ),
          returns: ref('ValueType'),
          confirm: { type: 'boolean', description: 'With `types=true`: pages ask before they call the method' },
          rehearsable: { type: 'boolean', description: 'With `types=true`: calls may have `Prefer: tx=rollback`' },
          longRunning: {
            type: 'boolean',
            description: 'With `types=true`: calls may have `Prefer: respond-async`',
          },
        },
        ['name', 'httpMethod', 'params'],
      ),
    ),
  }),
  ValueType: objectOf(
    {
      kind: { type: 'string', enum: ['datatype', 'enum', 'entity', 'list', 'record', 'object', 'any', 'void'] },
      type: { type: 'string', description: 'Id of the datatype, name of the enum or of the entity' },
      entity: { type: 'string', description: 'Of a datatype: the entity whose ids the values are' },
      item: ref('ValueType'),
      members: {
        description: 'Of a record',
        ...listOf(objectOf({ name: STRING, required: BOOLEAN, valueType: ref('ValueType') })),
      },
    },
    ['kind'],
  ),
};
