import { empty, inHeader, inPath, json, listOf, type RouteDescription, ref, type Schema } from './route-description.ts';

const TAG = 'Metadata';
const ENTITY = inPath('entityName', 'Name of the entity');
const CACHED = [
  inHeader('If-None-Match', 'Tags of texts that the client has'),
  inHeader('Accept-Language', 'Language of captions, where the application has it'),
];

interface Parts {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly schema: Schema;
  readonly parameters?: RouteDescription['parameters'];
}

/** Every one of them is kept by clients: a tag, and 304 while nothing has changed. */
const cachedRoute = ({ path, operationId, summary, schema, parameters = [] }: Parts): RouteDescription => ({
  method: 'get',
  path,
  operationId,
  tag: TAG,
  summary,
  parameters: [...parameters, ...CACHED],
  responses: { 200: json(summary, schema, { ETag: 'Tag of the text' }), 304: empty('The client has it') },
  errors: parameters.length === 0 ? [406] : [404, 406],
});

/** `path` is the path of the metadata API, e.g. `/rest/metadata`. */
export const metadataRoutes = (path: string): readonly RouteDescription[] => [
  cachedRoute({
    path: `${path}/entities`,
    operationId: 'listEntityMetadata',
    summary: 'All stored entities and embeddables with their properties',
    schema: listOf(ref('EntityMetadata')),
  }),
  cachedRoute({
    path: `${path}/entities/{entityName}`,
    operationId: 'readEntityMetadata',
    summary: 'An entity with its properties, inherited ones included',
    schema: ref('EntityMetadata'),
    parameters: [ENTITY],
  }),
  cachedRoute({
    path: `${path}/entities/{entityName}/fetchPlans`,
    operationId: 'listFetchPlans',
    summary: 'The fetch plans that the application named for the entity',
    schema: listOf(ref('FetchPlanMetadata')),
    parameters: [ENTITY],
  }),
  cachedRoute({
    path: `${path}/entities/{entityName}/fetchPlans/{planName}`,
    operationId: 'readFetchPlan',
    summary: 'One fetch plan; built-in ones too',
    schema: ref('FetchPlanMetadata'),
    parameters: [ENTITY, inPath('planName', 'Name of the fetch plan')],
  }),
  cachedRoute({
    path: `${path}/enums`,
    operationId: 'listEnumMetadata',
    summary: 'All enums with their constants',
    schema: listOf(ref('EnumMetadata')),
  }),
  cachedRoute({
    path: `${path}/enums/{enumName}`,
    operationId: 'readEnumMetadata',
    summary: 'An enum with its constants',
    schema: ref('EnumMetadata'),
    parameters: [inPath('enumName', 'Full name of the enum, e.g. `sales.OrderStatus`')],
  }),
  cachedRoute({
    path: `${path}/datatypes`,
    operationId: 'listDatatypes',
    summary: 'The datatypes of properties, with the formats that older clients ask for',
    schema: listOf(ref('DatatypeMetadata')),
  }),
];
