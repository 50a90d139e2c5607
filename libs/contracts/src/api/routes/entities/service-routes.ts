import { EXPORT_TYPES } from '../../../export-types.ts';
import {
  BOOLEAN,
  empty,
  inPath,
  inQuery,
  json,
  listOf,
  type ParameterDescription,
  type RouteDescription,
  ref,
  routeOf,
  type Schema,
  STRING,
} from '../../route-description.ts';
import { MODEL_VERSION } from '../parameters.ts';

/** What the routes of service methods are described for: any method, or one of the application. */
export interface MethodSubject {
  /** Segments of the path: `{serviceName}/{methodName}`, or names. */
  readonly segments: string;
  readonly parameters: readonly ParameterDescription[];
  readonly methods: readonly ('get' | 'post')[];
  /** Parameters of the method in the URL, and in the body. */
  readonly inUrl: readonly ParameterDescription[];
  readonly inBody: Schema;
  /** Schema of the result by content type; none for methods without a result. */
  readonly result: Readonly<Record<string, Schema>>;
  readonly suffix: string;
  readonly tag: string;
  readonly example?: unknown;
  /** Texts of one method, in place of those of any. */
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Whether a call may continue without its client. */
  readonly isLongRunning?: boolean;
}

const route = routeOf('Services');
const SERVICE_NAME = inPath('serviceName', 'Name of a service of the application');
const TYPES = inQuery('types', 'Whether the types of parameters and results are described in full', BOOLEAN);
const METHOD_NAME = inPath('methodName', 'Name of a method of the service');

/** Every method of every service, by their names in the path. */
export const ANY_METHOD: MethodSubject = {
  segments: '{serviceName}/{methodName}',
  parameters: [SERVICE_NAME, METHOD_NAME],
  methods: ['get', 'post'],
  inUrl: [],
  inBody: { type: 'object', additionalProperties: true },
  result: { 'application/json': {}, 'text/plain': {} },
  suffix: '',
  tag: 'Services',
  isLongRunning: true,
};

/** The lists of services. `path` is e.g. `/rest/services`. */
export const serviceListRoutes = (path: string): readonly RouteDescription[] => [
  route('get', path, 'listServices', {
    summary: 'Lists the services of the application with their methods',
    description:
      'Returns all services, with the parameters of their methods. A call may need rights that the caller does not have.',
    parameters: [TYPES],
    responses: { 200: json('The services', listOf(ref('ServiceInfo'))) },
    errors: [406],
  }),
  route('get', `${path}/{serviceName}`, 'getService', {
    summary: 'A service with its methods',
    description: 'Returns all methods of the service, with their parameters.',
    parameters: [SERVICE_NAME, TYPES],
    responses: { 200: json('The service', ref('ServiceInfo')) },
    errors: [406],
  }),
];

const SUMMARIES = {
  get: 'Calls a method; its parameters are in the URL, where no token may be',
  post: 'Calls a method; the members of the body are its parameters',
} as const;

const DESCRIPTION =
  'Methods are code of the application. Their parameters and results are in the list of the services. A method without a result, or with null, is 204. With `Prefer: tx=rollback` a method that is declared safe to rehearse is rolled back, and the response has its changes.';

const RUN_ID = { ...inPath('runId', 'The id of the run'), example: '5b0c6f60-52a4-4c5e-9b6a-0f7b5f0f3d12' };

const RUN = json('The run; as a table the refused rows of an import that has ended', ref('ServiceRun'), {
  'Retry-After': 'Seconds to wait before asking again; absent when the run has ended',
});

/** Calls with `Prefer: respond-async` of long-running methods (contract/services.md#long-running). */
export const callRunRoutes = (path: string): readonly RouteDescription[] => [
  route('get', path, 'listServiceRuns', {
    summary: 'The calls of the caller that continue in the background, or have ended there',
    description: 'The 50 newest runs, without their results.',
    responses: { 200: json('The runs', listOf(ref('ServiceRun'))) },
  }),
  route('get', `${path}/{runId}`, 'getServiceRun', {
    summary: 'A call of the caller that continues in the background',
    description: 'Its status and, when it has ended, its result or error. Runs are kept for 30 days after their end.',
    parameters: [RUN_ID],
    responses: {
      200: {
        ...RUN,
        content: {
          ...RUN.content,
          [EXPORT_TYPES.csv]: STRING,
          [EXPORT_TYPES.xlsx]: { type: 'string', format: 'binary' },
        },
        examples: {
          [EXPORT_TYPES.csv]: '"row","column","attribute","reason"\n"2","email","email","must be an email"\n',
        },
      },
    },
    errors: [406],
  }),
  route('delete', `${path}/{runId}`, 'cancelServiceRun', {
    summary: 'Cancels a call that has not ended',
    description: 'The signal of an active call is aborted within seconds.',
    parameters: [RUN_ID],
    responses: { 204: empty('Cancelled') },
    errors: [409],
  }),
];

/** The response of a request that continues without its client. */
export const acceptedRun = (what: string) =>
  json(`The run, where the client does not wait for ${what}`, ref('ServiceRun'), {
    Location: 'Where the run is',
    'Preference-Applied': '`respond-async`',
    'Retry-After': 'Seconds to wait before asking for the run',
  });

/** Calls of a method (contract/services.md#services). `path` is e.g. `/rest/services`. */
export const methodRoutes = (path: string, subject: MethodSubject): readonly RouteDescription[] =>
  subject.methods.map((method): RouteDescription => {
    const isPost = method === 'post';
    const sent = subject.example === undefined ? {} : { example: subject.example };
    return routeOf(subject.tag)(
      method,
      `${path}/${subject.segments}`,
      `callService${isPost ? '' : 'ByUrl'}${subject.suffix}`,
      {
        deprecated: subject.deprecated === true,
        summary: subject.summary ?? SUMMARIES[method],
        description: subject.description ?? DESCRIPTION,
        parameters: [...subject.parameters, ...(isPost ? [] : subject.inUrl), MODEL_VERSION],
        ...(isPost ? { request: { ...json('The parameters of the method', subject.inBody), ...sent } } : {}),
        responses: {
          200: { description: 'The result: JSON, or text for strings, numbers and dates', content: subject.result },
          ...(isPost &&
            subject.isLongRunning === true && {
              202: acceptedRun('a long-running method'),
            }),
          204: empty('The method has no result, or it is null'),
          400: json('Violated rules, or another mistake of the request', ref('Refusal')),
          '4XX': { description: 'An error of the application, in the form that it returns', content: { '*/*': {} } },
        },
        errors: [404, 405, 406, 409],
      },
    );
  });
