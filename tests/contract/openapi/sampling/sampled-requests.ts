import { type Arbitrary, fc } from '@lintel/testkit/properties';
import {
  type MediaType,
  type OpenApi,
  type Operation,
  type Parameter,
  resolved,
  type Schema,
} from '../read-document.ts';
import type { RequestCheck } from './request-check.ts';
import { type Hints, mutated, valuesOf } from './sample-schema.ts';

/** A request with what the document says about it. */
export interface SampledRequest {
  readonly operationId: string;
  readonly method: string;
  /** Path with the parameters of the URL. */
  readonly target: string;
  readonly contentType: string | undefined;
  readonly body: unknown;
  /** Whether the document allows all of it. */
  readonly isAllowed: boolean;
}

/** What the samples of one operation need. */
export interface SampledOperation {
  readonly path: string;
  readonly method: string;
  /** Values of the path. */
  readonly pathValues?: Readonly<Record<string, string>>;
  readonly hints: Hints;
  /** What each body has, beside what is sampled: attributes that a new instance needs. */
  readonly base?: () => object;
}

interface SampledParameter {
  readonly parameter: Parameter;
  readonly text: string | undefined;
}

/** Requests of an operation: half of them are changed in one parameter or at one position of the body. */
export function requestsOf(document: OpenApi, check: RequestCheck, of: SampledOperation): Arbitrary<SampledRequest> {
  const operation = document.paths[of.path]?.[of.method] as Operation;
  const parameters = (operation.parameters ?? [])
    .map((one) => resolved(document, one))
    .filter(
      ({ in: location, name }) =>
        location === 'query' && !(name in of.hints.byName && of.hints.byName[name] === undefined),
    );
  const content = operation.requestBody === undefined ? {} : (resolved(document, operation.requestBody).content ?? {});
  const types = Object.keys(content).filter((type) => type !== 'application/json-patch+json');
  const bodies =
    types.length === 0
      ? fc.constant(undefined)
      : fc.constantFrom(...types).chain((type) => bodiesOf(document, type, content[type]?.schema, of));
  return fc
    .tuple(fc.tuple(...parameters.map((parameter) => textsOf(document, parameter, of.hints))), bodies)
    .map(([given, body]): SampledRequest => {
      const sent = given.filter(({ text }) => text !== undefined);
      const query = new URLSearchParams(
        sent.map(({ parameter, text }): [string, string] => [parameter.name, text ?? '']),
      );
      return {
        operationId: operation.operationId,
        method: of.method.toUpperCase(),
        target: `${filled(of.path, of.pathValues ?? {})}${query.size === 0 ? '' : `?${query}`}`,
        contentType: body?.type,
        body: body?.value,
        isAllowed:
          sent.every(({ parameter, text }) => check.parameter(parameter.schema, text ?? '')) &&
          (body === undefined || isAllowedBody(check, content[body.type] as MediaType, body.value)),
      };
    });
}

const isAllowedBody = (check: RequestCheck, media: MediaType, value: unknown): boolean =>
  (media['x-one-or-many'] === true && Array.isArray(value) ? value : [value]).every((one) =>
    check.body(media.schema, one),
  );

const filled = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''));

/** One value in seven is changed. */
const sometimesMutated = (values: Arbitrary<unknown>, weight = 6): Arbitrary<unknown> =>
  fc.oneof({ arbitrary: values, weight }, { arbitrary: mutated(values), weight: 1 });

function textsOf(document: OpenApi, parameter: Parameter, hints: Hints): Arbitrary<SampledParameter> {
  const { schema, name, required } = parameter;
  const values = hints.byName[name] ?? valuesOf(document, hints, schema.contentSchema ?? schema);
  const text = sometimesMutated(values).map((value) =>
    schema.contentSchema === undefined && typeof value !== 'object' ? String(value) : JSON.stringify(value),
  );
  return (required === true ? text : fc.option(text, { nil: undefined, freq: 1 })).map((one) => ({
    parameter,
    text: one,
  }));
}

function bodiesOf(document: OpenApi, type: string, schema: Schema, { hints, base }: SampledOperation) {
  const values = bodyValues(document, hints, schema).map((value) =>
    Array.isArray(value) ? value.map((one) => withBase(one, base)) : withBase(value, base),
  );
  return sometimesMutated(values, 1).map((value) => ({ type, value }));
}

/** Of an instance itself, not of a reference to one. */
function bodyValues(document: OpenApi, hints: Hints, schema: Schema): Arbitrary<unknown> {
  if (schema.type === 'array') return fc.array(bodyValues(document, hints, schema.items), { maxLength: 1 });
  const name =
    String(schema.$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  return valuesOf(document, hints, name.startsWith('entity_') ? document.components.schemas[name] : schema);
}

const withBase = (value: unknown, base: SampledOperation['base']): unknown =>
  base === undefined || typeof value !== 'object' || value === null ? value : { ...base(), ...value };
