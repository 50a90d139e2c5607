import { METADATA_SCHEMAS } from './metadata-schemas.ts';
import { BOOLEAN, COUNT, listOf, ref, type Schema, STRING } from './route-description.ts';

const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
});

const target = (maximum: number): Schema =>
  object({ target: STRING, value: { type: 'integer', minimum: 0, maximum } }, ['target', 'value']);

/** The schemas of the generic API (specification 2). */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  Error: {
    description: 'Every error of the API but those of 401 and of violated rules',
    ...object({ error: STRING, details: { type: ['string', 'null'] } }, ['error', 'details']),
  },
  OAuthError: object({ error: STRING, error_description: STRING }, ['error']),
  ValidationItem: object(
    {
      message: { type: 'string', description: 'Localised text' },
      messageTemplate: { type: 'string', description: 'The unresolved template' },
      path: { type: 'string', description: 'Attribute path from the sent root; empty for rules of the whole instance' },
      invalidValue: { description: 'The value as it was sent' },
    },
    ['message', 'messageTemplate', 'path', 'invalidValue'],
  ),
  ValidationFailure: listOf(ref('ValidationItem')),
  EntityId: {
    description: 'A text, a number for integer keys, an object for composite keys',
    oneOf: [STRING, { type: 'number' }, { type: 'object' }],
  },
  Entity: {
    description: 'An instance: system members and the attributes of the fetch plan',
    ...object({ _entityName: STRING, _instanceName: STRING, id: ref('EntityId') }),
    additionalProperties: true,
  },
  ServiceInfo: object(
    {
      name: STRING,
      methods: listOf(
        object(
          {
            name: STRING,
            httpMethod: { type: ['string', 'null'], description: 'Null for GET and POST' },
            params: listOf(
              object({ name: STRING, type: { type: ['string', 'null'] }, required: BOOLEAN }, [
                'name',
                'type',
                'required',
              ]),
            ),
          },
          ['name', 'httpMethod', 'params'],
        ),
      ),
    },
    ['name', 'methods'],
  ),
  PredefinedQuery: object({
    name: STRING,
    jpql: { type: 'string', description: 'Text in the entity query language' },
    entityName: STRING,
    viewName: { type: ['string', 'null'], description: 'The same as `fetchPlanName`, for older clients' },
    fetchPlanName: { type: ['string', 'null'], description: 'Null for queries that select values' },
    limit: { type: ['integer', 'null'] },
    offset: { type: ['integer', 'null'] },
    cacheable: BOOLEAN,
    anonymousAllowed: BOOLEAN,
    params: listOf(object({ name: STRING, type: STRING })),
  }),
  FetchPlanProperty: {
    oneOf: [STRING, object({ name: STRING, fetchPlan: { oneOf: [STRING, ref('FetchPlan')] } }, ['name'])],
  },
  FetchPlan: object({ entity: STRING, properties: listOf(ref('FetchPlanProperty')) }, ['properties']),
  FetchPlanOrName: { oneOf: [STRING, ref('FetchPlan')] },
  Condition: object(
    {
      property: { type: 'string', description: 'Attribute, or a path such as `customer.name`' },
      operator: {
        type: 'string',
        enum: [
          '=',
          '<>',
          '>',
          '>=',
          '<',
          '<=',
          'contains',
          'doesNotContain',
          'startsWith',
          'endsWith',
          'in',
          'notIn',
          'notEmpty',
          'isNull',
        ],
      },
      value: {},
    },
    ['property', 'operator'],
  ),
  ConditionGroup: object({ group: { type: 'string', enum: ['AND', 'OR'] }, conditions: ref('Conditions') }, [
    'group',
    'conditions',
  ]),
  Conditions: listOf({ oneOf: [ref('Condition'), ref('ConditionGroup')] }),
  Filter: object({ conditions: ref('Conditions') }, ['conditions']),
  Search: object(
    {
      filter: ref('Filter'),
      fetchPlan: ref('FetchPlanOrName'),
      limit: COUNT,
      offset: COUNT,
      cursor: STRING,
      sort: STRING,
      returnNulls: BOOLEAN,
      dynamicAttributes: BOOLEAN,
      returnCount: BOOLEAN,
      modelVersion: STRING,
    },
    ['filter'],
  ),
  Token: object(
    {
      access_token: STRING,
      token_type: STRING,
      refresh_token: STRING,
      expires_in: { type: 'integer', description: 'Seconds' },
      scope: STRING,
      'OAuth2.SESSION_ID': STRING,
    },
    ['access_token', 'token_type', 'expires_in'],
  ),
  FileInfo: object({ fileRef: STRING, name: STRING, size: { type: 'integer', description: 'Bytes' } }, [
    'fileRef',
    'name',
    'size',
  ]),
  UserInfo: object({ username: STRING, locale: STRING, attributes: { type: 'object' } }, [
    'username',
    'locale',
    'attributes',
  ]),
  Messages: {
    type: 'object',
    description: 'Captions by `<entity>`, `<entity>.<attribute>`, `<enum>` or `<enum>.<constant>`',
    additionalProperties: STRING,
  },
  Permissions: object(
    {
      authorities: listOf(STRING),
      entities: listOf(target(1)),
      entityAttributes: listOf(target(2)),
      specifics: listOf(target(1)),
    },
    ['authorities', 'entities', 'entityAttributes', 'specifics'],
  ),
  Capabilities: object({ inlineFetchPlans: BOOLEAN }, ['inlineFetchPlans']),
  Report: object({ id: STRING, name: STRING, code: STRING, group: STRING }, ['id', 'name']),
  ReportDetail: object(
    {
      id: STRING,
      name: STRING,
      code: STRING,
      group: STRING,
      templates: listOf(object({ code: STRING, outputType: STRING }, ['code', 'outputType'])),
      inputParameters: listOf(object({ name: STRING, alias: STRING, type: STRING, required: BOOLEAN }, ['alias'])),
    },
    ['id', 'name', 'templates', 'inputParameters'],
  ),
  ReportGroup: object({ id: STRING, title: STRING, code: STRING }, ['id', 'title']),
  ReportRun: object({
    template: { type: 'string', description: 'Code of the template; the default one when absent' },
    parameters: listOf(object({ name: STRING, value: {}, values: { type: 'array' } }, ['name'])),
  }),
  ...METADATA_SCHEMAS,
};
