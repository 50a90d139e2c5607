import { inHeader, inQuery, type RouteDescription, routeOf, STRING } from '../../route-description.ts';
import { entityNameParameter } from './entity-subject.ts';

/** `path` is the path of the feeds of changes, e.g. `/rest/changes`. */
export const changeRoutes = (path: string, exampleEntity?: string): readonly RouteDescription[] => [
  routeOf('Changes')('get', `${path}/{entityName}`, 'followChanges', {
    summary:
      'Changes of an entity, or events of the application, as they happen, as server-sent events, until the client leaves',
    description:
      'The stream contains the changes of instances that the caller may read, after they were committed. A client that lost its connection continues with `Last-Event-ID` and misses nothing, unless a `reset` event says so.',
    parameters: [
      entityNameParameter(exampleEntity),
      inHeader('Last-Event-ID', 'The `id` of the event after which the client continues'),
      inQuery('became', 'Values of enumerations or booleans that changes must have set, as a JSON object'),
      inQuery('lastEventId', 'The same, for clients that cannot set the header of their first request'),
    ],
    responses: {
      200: {
        description:
          'Events `created`, `updated`, `deleted`, `removed` (out of the sight of the caller) and `reset` (changes ' +
          'were missed); `data` is `{"entity", "id", "change", "attributes", "trace"}`; `trace` is `X-Trace-Id` of the ' +
          'request, in changes of the caller alone. The type of an event of the application has `published` instead, with ' +
          '`{"type", "subject", "timestamp", "data"}`',
        content: { 'text/event-stream': STRING },
        headers: { 'Cache-Control': 'Never kept' },
      },
    },
  }),
];
