import { empty, inQuery, type RouteDescription, routeOf } from '../route-description.ts';
import { ACCEPT_LANGUAGE, IF_NONE_MATCH } from './parameters.ts';

const SUMMARIES = {
  openapi: 'The OpenAPI document of the API',
  openapiDetailed: 'The OpenAPI document of the API with the entities, queries and services of the application',
} as const;

const OPENAPI = inQuery('openapi', 'Version of OpenAPI, for tools that do not read the default', {
  type: 'string',
  enum: ['3.1', '3.0'],
  default: '3.1',
});
/** No `enum`: the generator of Kotlin cannot name one after a keyword. */
const FOR = inQuery('for', '`me`: only what the caller may call, read and write', {
  type: 'string',
  pattern: '^me$',
  examples: ['me'],
});

export interface DocumentRouteOptions {
  readonly documents: readonly (keyof typeof SUMMARIES)[];
  readonly suffix: string;
  /** Every user may read them; others need the right to the API that they describe. */
  readonly isForEveryUser: boolean;
}

/**
 * The documents about the API (contract/api-documents.md#endpoints).
 *
 * @param path path of the documents, e.g. `/rest/docs`
 */
export const documentRoutes = (path: string, options: DocumentRouteOptions): readonly RouteDescription[] =>
  options.documents.flatMap((document) =>
    (['json', 'yaml'] as const).map((extension): RouteDescription => {
      const type = `application/${extension}`;
      const tag = { ETag: 'Tag of the document' };
      return routeOf('Documentation')(
        'get',
        `${path}/${document}.${extension}`,
        `read${document.replace('openapi', 'OpenApi')}${extension === 'json' ? 'Json' : 'Yaml'}${options.suffix}`,
        {
          summary: `${SUMMARIES[document]}, in ${extension.toUpperCase()}`,
          description:
            'The document is generated from the model, so it is always up to date. Captions are in the language of the request. By default it is the same for every caller.',
          parameters: [OPENAPI, FOR, IF_NONE_MATCH, ACCEPT_LANGUAGE],
          responses: {
            200: { description: 'The document', content: { [type]: { type: 'object' } }, headers: tag },
            304: empty('The client has it', tag),
          },
          errors: [406],
          isForEveryUser: options.isForEveryUser,
        },
      );
    }),
  );

/** The document about events. */
export const asyncDocumentRoute = (path: string): RouteDescription =>
  routeOf('Documentation')('get', `${path}/asyncapi.json`, 'readAsyncApi', {
    summary: 'The AsyncAPI document of the events at the broker',
    description:
      'AsyncAPI 3.0: the events of the platform, and those of the application for which the caller has `events.read` or ' +
      '`events.read.<type>`, with their schemas.',
    parameters: [IF_NONE_MATCH],
    responses: {
      200: {
        description: 'The document',
        content: { 'application/json': { type: 'object' } },
        headers: { ETag: 'Tag of the document' },
      },
      304: empty('The client has it', { ETag: 'Tag of the document' }),
    },
    isForEveryUser: true,
  });
