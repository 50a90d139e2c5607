import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { type OpenApi, type Operation, pointerOf, type Response, resolved } from './read-document.ts';

/** A response as any client of the tests has it. */
export interface SeenResponse {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/** Returns what is wrong with a response; nothing where the document has it like this. */
export type ResponseCheck = (method: string, target: string, response: SeenResponse) => string | undefined;

interface KnownPath {
  readonly path: string;
  readonly pattern: RegExp;
}

/**
 * What the application serves beside the API of the platform: pages, controllers, services of its own servers.
 * Documents say nothing of them.
 */
const BESIDE = [
  /^\/as-login/,
  /^\/logout/,
  /^\/health/,
  /^\/oauth2\/authorize\//,
  /^\/rest\/docs(\/explorer\/.*)?\/?$/,
];

/**
 * Compares responses with an OpenAPI document: the operation must be described, with the status, the content type and
 * a schema that the body keeps.
 *
 * @param isControllerPath whether a path is a controller's of the application
 */
export function createResponseCheck(document: OpenApi, isControllerPath: (path: string) => boolean): ResponseCheck {
  const paths = Object.keys(document.paths)
    .sort((one, other) => wildcards(one) - wildcards(other))
    .map((path): KnownPath => ({ path, pattern: patternOf(path) }));
  const validatorOf = createValidators(document);
  return (method, target, response) => {
    const [path = ''] = target.split('?', 1);
    if (BESIDE.some((pattern) => pattern.test(path)) || isControllerPath(path)) return undefined;
    const matching = paths.filter(({ pattern }) => pattern.test(path));
    const hasHead = matching.some((each) => document.paths[each.path]?.['head'] !== undefined);
    const verb = method === 'HEAD' && !hasHead ? 'get' : method.toLowerCase();
    const known = matching.find((each) => document.paths[each.path]?.[verb] !== undefined);
    if (known === undefined) return problemOfUndescribed(method, path, matching.length > 0, response);
    const operation = document.paths[known.path]?.[verb] as Operation;
    const pointer = `#/paths/${escaped(known.path)}/${verb}/responses`;
    return problemOf({ document, method, target, operation, pointer, validatorOf }, response);
  };
}

/** Requests that are refused before their operation is known: too slow, too long. */
const OF_EVERY_SERVER: ReadonlySet<number> = new Set([408, 414, 431]);

const wildcards = (path: string): number => path.split('{').length;

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.+*?^$()[\]|\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`);

/** What no operation describes may be refused, but never be served. */
function problemOfUndescribed(
  method: string,
  path: string,
  isPathKnown: boolean,
  { status }: SeenResponse,
): string | undefined {
  if (method === 'OPTIONS' || status >= 400) return undefined;
  return `${method} ${path} responds with ${status}, and no operation ${isPathKnown ? 'of its path' : ''} describes it`;
}

interface Declared {
  readonly document: OpenApi;
  readonly method: string;
  readonly target: string;
  readonly operation: Operation;
  /** Of the responses of the operation. */
  readonly pointer: string;
  readonly validatorOf: (pointer: string) => ValidateFunction;
}

function problemOf(declared: Declared, { status, contentType, text }: SeenResponse): string | undefined {
  const { document, method, target, operation, pointer: responses } = declared;
  const where = `${method} ${target} (${operation.operationId}) responds with ${status}`;
  const key = [String(status), `${String(status)[0]}XX`].find((each) => operation.responses[each] !== undefined);
  // Generated clients would have a union of rows and run for every list.
  const isExport = (operation.responses['200'] as Response | undefined)?.['x-exports'] !== undefined;
  if (key === undefined && status === 202 && isExport) return undefined;
  if (key === undefined)
    return OF_EVERY_SERVER.has(status) ? undefined : `${where}, which is not declared: ${text.slice(0, 200)}`;
  const shared = operation.responses[key] as Response;
  const response = resolved(document, shared);
  const content = Object.entries(response.content ?? {});
  if (text === '') return undefined;
  if (content.length === 0) return `${where} with a body, which is not declared: ${text.slice(0, 200)}`;
  const type = (contentType ?? '').split(';', 1)[0]?.trim() ?? '';
  const found = content.find(([declaredType]) => declaredType === type) ?? content.find(([any]) => any === '*/*');
  if (found === undefined && response['x-exports']?.includes(type)) return undefined;
  if (found === undefined) return `${where} as ${type}; declared is ${content.map(([name]) => name).join(', ')}`;
  if (found[0] === '*/*') return undefined;
  const pointer = `${pointerOf(shared, `${responses}/${key}`)}/content/${escaped(found[0])}/schema`;
  return problemOfBody(where, declared, pointer, { type, text, isOneOrMany: found[1]['x-one-or-many'] === true });
}

function problemOfBody(
  where: string,
  { target, validatorOf }: Declared,
  pointer: string,
  { type, text, isOneOrMany }: { readonly type: string; readonly text: string; readonly isOneOrMany: boolean },
): string | undefined {
  // Members have the names of another version of the model.
  if (target.includes('modelVersion=') && !target.includes('modelVersion=&')) return undefined;
  let body: unknown = text;
  if (type === 'application/json' || type === 'application/problem+json') {
    try {
      body = JSON.parse(text);
    } catch {
      return `${where} with what is no JSON: ${text.slice(0, 200)}`;
    }
  }
  const validate = validatorOf(pointer);
  const values = isOneOrMany && Array.isArray(body) ? body : [type === 'application/yaml' ? {} : body];
  if (values.every((value) => validate(value) || (isOneOrMany && validate([value])))) return undefined;
  const problems = (validate.errors ?? [])
    .slice(0, 5)
    .map((each) => `${each.instancePath} ${each.message} ${JSON.stringify(each.params)}`);
  return `${where}, but the body is not as declared: ${problems.join('; ')}: ${text.slice(0, 300)}`;
}

/** For a JSON pointer in a URL fragment. */
const escaped = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

const ISO_DATE = String.raw`\d{4,}-\d\d-\d\d`;
const ISO_TIME = String.raw`\d\d:\d\d:\d\d(\.\d+)?`;

/** Validators by the JSON pointer of their schema, each compiled when it is first needed. */
function createValidators(document: OpenApi): (pointer: string) => ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addFormat('date-time-local', new RegExp(`^${ISO_DATE}T${ISO_TIME}$`));
  ajv.addFormat('time-local', new RegExp(`^${ISO_TIME}$`));
  for (const name of ['decimal', 'int16', 'char']) ajv.addFormat(name, true);
  ajv.addSchema(document as unknown as AnySchemaObject, 'api');
  const compiled = new Map<string, ValidateFunction>();
  return (pointer) => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `api${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
}
