import { BOOLEAN, listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';

const PROPERTY: Readonly<Record<string, Schema>> = {
  name: STRING,
  attributeType: { type: 'string', enum: ['DATATYPE', 'ENUM', 'ASSOCIATION', 'COMPOSITION', 'EMBEDDED'] },
  type: { type: 'string', description: 'Id of a datatype, name of an enum or of an entity' },
  cardinality: {
    type: 'string',
    enum: ['NONE', 'ONE_TO_ONE', 'MANY_TO_ONE', 'ONE_TO_MANY', 'MANY_TO_MANY'],
  },
  mandatory: BOOLEAN,
  readOnly: BOOLEAN,
  description: { type: 'string', description: 'Caption in the language of the request' },
  persistent: BOOLEAN,
  transient: BOOLEAN,
};

const COUNT: Schema = { type: 'integer', minimum: 0 };

/** With `details=true` (contract/metadata.md#details); members without a value are not there. */
const PROPERTY_DETAILS: Readonly<Record<string, Schema>> = {
  length: COUNT,
  precision: COUNT,
  scale: COUNT,
  unique: { type: 'boolean', description: 'Always true' },
  defaultValue: { description: 'JSON input for the attribute' },
  databaseDefault: {
    type: 'boolean',
    description: 'Always true: the database sets the value of a new instance that was sent without one',
  },
  rules: listOf(ref('RuleMetadata')),
  writeOnly: { type: 'boolean', description: 'Always true: no response has the value' },
  personal: { type: 'boolean', description: 'Always true: its values are about a person' },
  inverse: { type: 'string', description: 'The attribute at the other end of the reference' },
  owning: { type: 'boolean', description: 'Whether the foreign key or the link table of the reference is here' },
  tree: { type: 'boolean', description: 'Always true: the reference leads to the parent in a tree' },
  searchable: {
    type: 'string',
    enum: ['words', 'prefix', 'targets'],
    description: 'What q searches: words of the text, also beginnings of words, or the targets of the reference',
  },
  ui: objectOf({ widget: { type: 'string', enum: ['textarea', 'radio', 'checkbox', 'hidden'] } }, []),
};

const ENTITY_DETAILS: Readonly<Record<string, Schema>> = {
  kind: { type: 'string', enum: ['entity', 'embeddable', 'dto'] },
  abstract: BOOLEAN,
  key: { type: ['string', 'null'] },
  keyGeneration: { type: ['string', 'null'], enum: ['uuid', 'identity', 'assigned', null] },
  nameAttributes: listOf(STRING),
  ui: objectOf(
    {
      order: listOf(STRING),
      groups: listOf(objectOf({ name: STRING, description: STRING, attributes: listOf(STRING) })),
      listPlan: ref('FetchPlanMetadata'),
    },
    [],
  ),
};

/** The schemas of metadata (contract/metadata.md#entities, #details, #fetch-plans, #enums). */
export const METADATA_SCHEMAS: Readonly<Record<string, Schema>> = {
  PropertyMetadata: objectOf({ ...PROPERTY, ...PROPERTY_DETAILS }, Object.keys(PROPERTY)),
  RuleMetadata: objectOf(
    {
      kind: { type: 'string', enum: ['size', 'not-blank', 'pattern', 'email', 'min', 'max', 'past', 'future'] },
      min: COUNT,
      max: COUNT,
      pattern: STRING,
      value: { type: 'string', description: 'The bound, as a decimal' },
      inclusive: BOOLEAN,
      orPresent: BOOLEAN,
    },
    ['kind'],
  ),
  DynamicPropertyMetadata: {
    description: 'An attribute that an administrator defined; its name begins with `+`',
    ...objectOf(
      {
        ...PROPERTY,
        dynamic: { type: 'boolean', description: 'Always true' },
        category: STRING,
        values: listOf(STRING),
      },
      [...Object.keys(PROPERTY), 'dynamic', 'category'],
    ),
  },
  EntityMetadata: objectOf(
    {
      entityName: STRING,
      ancestor: { type: ['string', 'null'] },
      ...ENTITY_DETAILS,
      properties: listOf(ref('PropertyMetadata')),
      dynamicProperties: listOf(ref('DynamicPropertyMetadata')),
    },
    ['entityName', 'ancestor', 'properties'],
  ),
  NestedFetchPlanMetadata: objectOf({ name: STRING, properties: listOf(ref('FetchPlanPropertyMetadata')) }, [
    'properties',
  ]),
  FetchPlanPropertyMetadata: {
    oneOf: [
      STRING,
      objectOf(
        {
          name: STRING,
          fetchPlan: ref('NestedFetchPlanMetadata'),
          filter: ref('Filter'),
          sort: STRING,
          limit: COUNT,
          offset: COUNT,
          count: BOOLEAN,
        },
        ['name', 'fetchPlan'],
      ),
    ],
  },
  FetchPlanMetadata: objectOf({
    name: STRING,
    entity: STRING,
    properties: listOf(ref('FetchPlanPropertyMetadata')),
  }),
  EnumMetadata: objectOf({
    name: STRING,
    values: listOf(objectOf({ name: STRING, id: { oneOf: [STRING, { type: 'integer' }] }, caption: STRING })),
  }),
  DatatypeMetadata: objectOf(
    { id: STRING, name: STRING, format: STRING, decimalSeparator: STRING, groupingSeparator: STRING },
    ['id', 'name'],
  ),
};
