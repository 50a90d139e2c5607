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

/** The schemas of metadata (contract/metadata.md#entities, #fetch-plans, #enums). */
export const METADATA_SCHEMAS: Readonly<Record<string, Schema>> = {
  PropertyMetadata: objectOf(PROPERTY),
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
      properties: listOf(ref('PropertyMetadata')),
      dynamicProperties: listOf(ref('DynamicPropertyMetadata')),
    },
    ['entityName', 'ancestor', 'properties'],
  ),
  NestedFetchPlanMetadata: objectOf({ name: STRING, properties: listOf(ref('FetchPlanPropertyMetadata')) }, [
    'properties',
  ]),
  FetchPlanPropertyMetadata: {
    oneOf: [STRING, objectOf({ name: STRING, fetchPlan: ref('NestedFetchPlanMetadata') })],
  },
  FetchPlanMetadata: objectOf({
    name: STRING,
    entity: STRING,
    properties: listOf(ref('FetchPlanPropertyMetadata')),
  }),
  EnumMetadata: objectOf({
    name: STRING,
    values: listOf(objectOf({ name: STRING, id: { type: ['string', 'integer'] }, caption: STRING })),
  }),
  DatatypeMetadata: objectOf(
    { id: STRING, name: STRING, format: STRING, decimalSeparator: STRING, groupingSeparator: STRING },
    ['id', 'name'],
  ),
};
