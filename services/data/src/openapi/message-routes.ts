import { empty, inHeader, inPath, json, type RouteDescription, ref } from './route-description.ts';

const LANGUAGE = inHeader('Accept-Language', 'Another language than that of the session');

function messageRoute(path: string, operationId: string, summary: string, name?: string): RouteDescription {
  return {
    method: 'get',
    path,
    operationId,
    tag: 'Messages',
    summary,
    parameters: [
      ...(name === undefined
        ? []
        : [inPath(name, name === 'entityName' ? 'Name of the entity' : 'Full name of the enum')]),
      inHeader('If-None-Match', 'Tags of texts that the client has'),
      LANGUAGE,
    ],
    responses: {
      200: json('Texts by key, sorted', ref('Messages'), { ETag: 'Tag of the texts' }),
      304: empty('The client has them'),
    },
    errors: name === undefined ? [403, 406] : [403, 404, 406],
  };
}

/** `path` is the path of the messages API, e.g. `/rest/messages`. */
export const messageRoutes = (path: string): readonly RouteDescription[] => [
  messageRoute(`${path}/entities`, 'listEntityMessages', 'Captions of all entities and their attributes'),
  messageRoute(
    `${path}/entities/{entityName}`,
    'readEntityMessages',
    'Captions of an entity and its attributes',
    'entityName',
  ),
  messageRoute(`${path}/enums`, 'listEnumMessages', 'Captions of all enums and their constants'),
  messageRoute(`${path}/enums/{enumName}`, 'readEnumMessages', 'Captions of an enum and its constants', 'enumName'),
];

/** `path` is the path of the session, e.g. `/rest/user-session`. */
export const sessionRoutes = (path: string): readonly RouteDescription[] => [
  {
    method: 'put',
    path: `${path}/locale`,
    operationId: 'changeSessionLocale',
    tag: 'Current user',
    summary: 'Remembers the language of the session',
    parameters: [{ ...inHeader('Accept-Language', 'The language'), required: true }],
    responses: { 200: empty('The language is remembered') },
    errors: [403, 422],
  },
];
