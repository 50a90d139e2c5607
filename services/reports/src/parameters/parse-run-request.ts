import { PlatformError } from '@lintel/errors';
import { type ExactJson, ExactNumber, type ExactObject, isExactObject, parseJsonInSteps } from '@lintel/query';
import { nextIteration } from '@lintel/timing';

/** Values of one parameter as the client sent them. */
export interface SubmittedParameter {
  /**
   * `value`, which is parsed by the type of the parameter (contract/decisions.md#65); null where it was null or absent.
   */
  readonly value: ExactJson;
  /** The items of `values`, for a list (contract/decisions.md#65); null where it was null or absent. */
  readonly values: readonly ExactJson[] | null;
}

/** The body of a run request (contract/reports.md#run). */
export interface RunRequestBody {
  readonly template: string | null;
  /** Another output of the template. */
  readonly outputType: string | null;
  readonly attachment: boolean;
  /** Whether a CSV document begins with a byte order mark. */
  readonly bom: boolean;
  /** By alias; the first of duplicates. */
  readonly parameters: ReadonlyMap<string, SubmittedParameter>;
  /** Members that have no meaning. */
  readonly unknown: readonly string[];
  /** Members of the items of `parameters` that have none, once each. */
  readonly unknownInParameters: readonly string[];
}

/** The members that have one. */
export const RUN_MEMBERS = ['template', 'outputType', 'attachment', 'bom', 'parameters'];
export const PARAMETER_MEMBERS = ['name', 'value', 'values'];

/**
 * Parses the body of a run request, a long one in steps between which the event loop continues. Empty and `null` are
 * `{}` (contract/decisions.md#33).
 *
 * @throws REPORT_INVALID_BODY with the problem
 */
export async function parseRunRequest(text: string): Promise<RunRequestBody> {
  const body =
    text.trim() === '' ? null : await parseJsonInSteps(text, 'The body', 'REPORT_INVALID_BODY', () => nextIteration());
  if (body === null)
    return {
      template: null,
      outputType: null,
      attachment: false,
      bom: false,
      parameters: new Map(),
      unknown: [],
      unknownInParameters: [],
    };
  if (!isExactObject(body)) throw malformed('The body must be a JSON object');
  return {
    template: readText(body, 'template'),
    outputType: readText(body, 'outputType'),
    attachment: readFlag(body, 'attachment'),
    bom: readFlag(body, 'bom'),
    parameters: readParameters(body['parameters'] ?? null),
    unknown: Object.keys(body).filter((name) => !RUN_MEMBERS.includes(name)),
    unknownInParameters: unknownInItems(body['parameters'] ?? null),
  };
}

function readText(body: ExactObject, member: string): string | null {
  const value = body[member] ?? null;
  if (value === null || typeof value === 'string') return value;
  throw malformed(`"${member}" must be a text`);
}

function readFlag(body: ExactObject, member: string): boolean {
  const value = body[member] ?? null;
  if (value === null) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return value.toLowerCase() === 'true';
  throw malformed(`"${member}" must be true or false`);
}

function readParameters(value: ExactJson): ReadonlyMap<string, SubmittedParameter> {
  const parameters = new Map<string, SubmittedParameter>();
  if (value === null) return parameters;
  if (!Array.isArray(value)) throw malformed('"parameters" must be an array');
  for (const [index, item] of (value as readonly ExactJson[]).entries()) {
    const where = `parameters[${index}]`;
    if (!isExactObject(item)) throw malformed(`${where} must be an object`);
    const name = item['name'];
    if (typeof name !== 'string') throw malformed(`${where}.name must be a text`);
    const submitted = {
      value: item['value'] ?? null,
      values: itemsOf(item['values'] ?? null, `${where}.values`),
    };
    if (!parameters.has(name)) parameters.set(name, submitted);
  }
  return parameters;
}

/** Names of one request that are kept: more are not reported. */
const MAX_UNKNOWN = 100;

function unknownInItems(parameters: ExactJson): readonly string[] {
  const found = new Set<string>();
  for (const item of Array.isArray(parameters) ? (parameters as readonly ExactJson[]) : [])
    for (const name in isExactObject(item) ? item : {})
      if (found.size < MAX_UNKNOWN && !PARAMETER_MEMBERS.includes(name)) found.add(name);
  return [...found];
}

function itemsOf(value: ExactJson, where: string): readonly ExactJson[] | null {
  if (value === null) return null;
  if (!Array.isArray(value)) throw malformed(`${where} must be an array`);
  return (value as readonly ExactJson[]).map((item, index) => {
    if (item === null || Array.isArray(item)) throw malformed(`${where}[${index}] must be an id or a reference`);
    // Numbers and booleans count by their text.
    return typeof item === 'boolean' || item instanceof ExactNumber ? String(item) : item;
  });
}

const malformed = (details: string): PlatformError => new PlatformError('REPORT_INVALID_BODY', details);
