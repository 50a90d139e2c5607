import { empty, inPath, json, listOf, MODEL_VERSION, type RouteDescription, ref } from './route-description.ts';

const TAG = 'Services';
const serviceName = inPath('serviceName', 'Name of a service of the application');
const methodName = inPath('methodName', 'Name of a method of the service');

const results = {
  200: {
    description: 'The result: JSON, or text for strings, numbers and dates',
    content: { 'application/json': {}, 'text/plain': {} },
  },
  204: empty('The method has no result'),
};
const body = json('The parameters of the method', { type: 'object', additionalProperties: true });

/** `path` is the path of the service methods, e.g. `/rest/services`. */
export const serviceRoutes = (path: string): readonly RouteDescription[] => [
  {
    method: 'get',
    path,
    operationId: 'listServices',
    tag: TAG,
    summary: 'Lists the services of the application with their methods',
    responses: { 200: json('The services', listOf(ref('ServiceInfo'))) },
    errors: [403],
  },
  {
    method: 'get',
    path: `${path}/{serviceName}`,
    operationId: 'getService',
    tag: TAG,
    summary: 'A service with its methods',
    parameters: [serviceName],
    responses: { 200: json('The service', ref('ServiceInfo')) },
    errors: [403, 404],
  },
  {
    method: 'get',
    path: `${path}/{serviceName}/{methodName}`,
    operationId: 'callServiceByUrl',
    tag: TAG,
    summary: 'Calls a method; every other query parameter is one of the method. No token in the URL',
    parameters: [serviceName, methodName, MODEL_VERSION],
    responses: results,
    errors: [400, 403, 404, 405],
  },
  {
    method: 'post',
    path: `${path}/{serviceName}/{methodName}`,
    operationId: 'callService',
    tag: TAG,
    summary: 'Calls a method; the members of the body are its parameters',
    parameters: [serviceName, methodName, MODEL_VERSION],
    request: body,
    responses: results,
    errors: [400, 403, 404, 405],
  },
];
