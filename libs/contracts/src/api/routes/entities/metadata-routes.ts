import {
  BOOLEAN,
  empty,
  inPath,
  inQuery,
  json,
  listOf,
  type RouteDescription,
  ref,
  routeOf,
  type Schema,
} from '../../route-description.ts';
import { ACCEPT_LANGUAGE, IF_NONE_MATCH } from '../parameters.ts';
import { entityNameParameter } from './entity-subject.ts';

interface Parts {
  readonly summary: string;
  readonly description: string;
  readonly schema: Schema;
  readonly parameters?: RouteDescription['parameters'];
}

/** Clients keep them: a tag, and 304 while nothing has changed; captions are in the language of the request. */
const keptRoute =
  (tag: string) =>
  (path: string, operationId: string, { summary, schema, parameters = [], ...parts }: Parts): RouteDescription =>
    routeOf(tag)('get', path, operationId, {
      summary,
      parameters: [...parameters, IF_NONE_MATCH, ACCEPT_LANGUAGE],
      responses: {
        200: json(summary, schema, { ETag: 'Tag of the response' }),
        304: empty('The client has it', { ETag: 'Tag of the response' }),
      },
      errors: [406],
      ...parts,
    });
const metadata = keptRoute('Metadata');
const messages = keptRoute('Messages');

/** Older clients get the members that they know. */
const DETAILS = inQuery('details', 'Whether lengths, rules, defaults and hints for user interfaces are shown', BOOLEAN);

const ENUM_NAME = { ...inPath('enumName', 'Full name of the enum'), example: 'report.ReportOutputType' };

/** `path` is the path of the metadata API, e.g. `/rest/metadata`. */
export function metadataRoutes(path: string, exampleEntity?: string): readonly RouteDescription[] {
  const entity = entityNameParameter(exampleEntity);
  const one = `${path}/entities/{entityName}`;
  // `views` are the fetch plans of older clients (contract/decisions.md#34).
  const plans = (segment: 'fetchPlans' | 'views', suffix: string): readonly RouteDescription[] => [
    metadata(`${one}/${segment}`, `listFetchPlans${suffix}`, {
      summary: 'The fetch plans that the application named for the entity',
      description:
        'A fetch plan names the attributes of a response. The built-in plans `_local`, `_base`, `_instance_name` and `_minimal` are not in the list.',
      schema: listOf(ref('FetchPlanMetadata')),
      parameters: [entity],
    }),
    metadata(`${one}/${segment}/{planName}`, `readFetchPlan${suffix}`, {
      summary: 'One fetch plan; built-in ones too',
      description: 'Returns the plan with all of its attributes, and with the plans of the references in it.',
      schema: ref('FetchPlanMetadata'),
      parameters: [entity, { ...inPath('planName', 'Name of the fetch plan'), example: '_base' }],
    }),
  ];
  return [
    metadata(`${path}/entities`, 'listEntityMetadata', {
      summary: 'All entities with their properties: stored ones, embeddables and DTOs',
      description: 'Returns all entities, also those that the caller may not read; `/permissions` has the rights.',
      schema: listOf(ref('EntityMetadata')),
      parameters: [DETAILS],
    }),
    metadata(one, 'readEntityMetadata', {
      summary: 'An entity with its properties, inherited ones included',
      description: 'Returns the name, the ancestor and the properties with their types, cardinalities and captions.',
      schema: ref('EntityMetadata'),
      parameters: [entity, DETAILS],
    }),
    ...plans('fetchPlans', ''),
    ...plans('views', 'AsView'),
    metadata(`${path}/enums`, 'listEnumMetadata', {
      summary: 'All enums with their constants',
      description: 'Returns each enum with the names, ids and captions of its constants.',
      schema: listOf(ref('EnumMetadata')),
    }),
    metadata(`${path}/enums/{enumName}`, 'readEnumMetadata', {
      summary: 'An enum with its constants',
      description: 'Returns the names, ids and captions of the constants.',
      schema: ref('EnumMetadata'),
      parameters: [ENUM_NAME],
    }),
    metadata(`${path}/datatypes`, 'listDatatypes', {
      summary: 'The datatypes of properties, with the formats that older clients ask for',
      description: 'Values in JSON do not depend on these formats; they are for the display of values.',
      schema: listOf(ref('DatatypeMetadata')),
    }),
  ];
}

/** `path` is the path of the messages API, e.g. `/rest/messages`. */
export function messageRoutes(path: string, exampleEntity?: string): readonly RouteDescription[] {
  return [
    messages(`${path}/entities`, 'listEntityMessages', {
      schema: ref('Messages'),
      summary: 'Captions of all entities and their attributes',
      description:
        'Returns one object; its keys are names of entities, and names of attributes after the name of the entity and a dot.',
    }),
    messages(`${path}/entities/{entityName}`, 'readEntityMessages', {
      schema: ref('Messages'),
      summary: 'Captions of an entity and its attributes',
      description:
        'Returns one object; its keys are the name of the entity, and names of attributes after it and a dot.',
      parameters: [entityNameParameter(exampleEntity)],
    }),
    messages(`${path}/enums`, 'listEnumMessages', {
      schema: ref('Messages'),
      summary: 'Captions of all enums and their constants',
      description:
        'Returns one object; its keys are names of enums, and names of constants after the name of the enum and a dot.',
    }),
    messages(`${path}/enums/{enumName}`, 'readEnumMessages', {
      schema: ref('Messages'),
      summary: 'Captions of an enum and its constants',
      description: 'Returns one object; its keys are the name of the enum, and names of constants after it and a dot.',
      parameters: [ENUM_NAME],
    }),
    messages(`${path}/captions`, 'listCaptions', {
      schema: ref('Captions'),
      summary: 'Captions of the model in one locale, with their sources',
      description:
        'Returns each caption with its key, the text that the locale has itself, and what is shown. A text is changed by an instance of `sys_Message` with the key and the locale.',
      parameters: [
        {
          ...inQuery('locale', 'One of `svc.core.available-locales`, or `default` for the default texts'),
          example: 'default',
        },
        inQuery(
          'kind',
          'What is listed: `captions`, or `others`, the texts that are no captions; those need the right to read `sys_Message`',
          { type: 'string', enum: ['captions', 'others'], default: 'captions' },
        ),
      ],
    }),
  ];
}
