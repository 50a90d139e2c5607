import type { Application, Deprecation, PredefinedQuery, ServiceMethod, ValueForm } from '@lintel/application';
import {
  type ApiPaths,
  type EntitySubject,
  entityRoutes,
  inPath,
  methodRoutes,
  objectOf,
  queryRoutes,
  type RouteDescription,
  requiring,
  type Schema,
  STRING,
} from '@lintel/contracts';
import { type Captions, type Entity, entityOf, isSoftDeleted, type Model } from '@lintel/metadata';
import { instanceSchema } from './attribute-schema.ts';
import { entityExamples } from './entity-examples.ts';
import { entityTexts, mandatoryNames } from './entity-texts.ts';
import { ruleLimits } from './rule-limits.ts';
import { scalarSchema } from './scalar-schema.ts';
import { inUrl, resultContent, valueSchema } from './value-schema.ts';

/** The input of the routes of the application. */
export interface ApplicationParts {
  readonly application: Pick<Application, 'demoData' | 'predefinedQueries' | 'restServices'>;
  readonly model: Model;
  readonly captions: Captions;
  readonly paths: ApiPaths;
}

/**
 * The routes of the application's own entities, queries and services (contract/decisions.md#44), sorted by their names.
 */
export function applicationRoutes(parts: ApplicationParts): readonly RouteDescription[] {
  const { application, model, paths } = parts;
  const below = (path: string): string => `${paths.basePath}${path}`;
  const entities = storedEntities(model);
  return [
    ...entities.flatMap((entity) =>
      entityRoutes(below(paths.entitiesPath), subjectOf(parts, entity)).filter(
        ({ operationId }) => !isMissing(entity, operationId),
      ),
    ),
    ...entities.flatMap((entity) =>
      [...(application.predefinedQueries.get(entity.name)?.values() ?? [])].flatMap((query) =>
        queryRoutes(below(paths.queriesPath), querySubject(parts, query)),
      ),
    ),
    ...[...application.restServices]
      .sort(byName)
      .flatMap(([service, { methods }]) =>
        [...Map.groupBy(methods, ({ name }) => name)].flatMap(([method, overloads]) =>
          methodRoutesOf(parts, service, method, overloads),
        ),
      ),
  ];
}

/** Whether no request of the operation can succeed for the entity. */
const isMissing = (entity: Entity, operationId: string): boolean =>
  (entity.abstract && operationId.startsWith('create')) ||
  (entity.key === undefined && operationId.startsWith('getEntity_')) ||
  (entity.readOnly === true && /^(create|update|patch|delete|restore)/.test(operationId));

/** Entities with a table of their own. */
export const storedEntities = (model: Model): readonly Entity[] =>
  [...model.entities]
    .filter(([, { kind }]) => kind === 'entity')
    .sort(byName)
    .map(([, entity]) => entity);

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

function subjectOf({ application, model, captions }: ApplicationParts, entity: Entity): EntitySubject {
  const key = entity.key === undefined ? undefined : entity.attributes.get(entity.key.attribute);
  const isSingle = key?.kind === 'datatype';
  const examples = entityExamples(model, captions, application.demoData, entity);
  const description = isSingle ? 'Id of the instance' : 'Id, as base64url of its JSON object';
  const id = isSingle
    ? scalarSchema(key.datatype)
    : key?.kind === 'embedded'
      ? requiring(instanceSchema(model, key.target), [...entityOf(model, key.target).attributes.keys()])
      : STRING;
  const schema = instanceSchema(model, entity.name);
  const entityId = inPath('entityId', description, isSingle ? id : STRING);
  return {
    segment: entity.name,
    parameters: [],
    entityId: examples.id === undefined ? entityId : { ...entityId, example: inUrlPath(examples.id) },
    id,
    schema,
    created: requiring(schema, mandatoryNames(entity)),
    identified: requiring(schema, entity.key?.attribute === 'id' ? ['id'] : []),
    texts: entityTexts(model, captions, entity),
    suffix: `_${entity.name}`,
    hasBin: isSoftDeleted(entity),
    tags: { entities: entity.name, search: entity.name },
    examples,
  };
}

/** A composite id is its JSON in base64url. */
const inUrlPath = (id: unknown): unknown =>
  typeof id === 'object' ? Buffer.from(JSON.stringify(id)).toString('base64url') : id;

function querySubject({ model, captions }: ApplicationParts, query: PredefinedQuery) {
  const parameters = query.declared.map(({ name, type, isList }) => {
    const one: ValueForm = type.kind === 'datatype' ? type : { kind: 'enum', enumName: type.enumeration.name };
    const form: ValueForm = isList ? { kind: 'list', item: one } : one;
    const schema = valueSchema(model, captions, form);
    return { name, required: true, form, schema };
  });
  return {
    segments: `${query.entity}/${query.name}`,
    parameters: [],
    inUrl: parameters.map((parameter) => inUrl(parameter, parameter.schema)),
    inBody: objectOf(Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))),
    row:
      query.returns === 'instances'
        ? instanceSchema(model, query.entity)
        : { type: 'object', additionalProperties: true },
    suffix: `_${query.entity}_${query.name}`,
    what: `the query ${query.name} of ${query.entity}`,
    description: sentences(queryText(query), deprecationText(query.deprecated)),
    deprecated: query.deprecated !== undefined,
    tag: `${query.entity} Queries`,
  };
}

function queryText({ entity, returns, declared }: PredefinedQuery): string {
  const rows = returns === 'instances' ? `instances of \`${entity}\`` : 'objects of the selected values';
  const names = declared.map(({ name }) => `\`${name}\``).join(', ');
  return `A row is one of the ${rows}. ${names === '' ? 'The query has no parameters.' : `Parameters: ${names}.`}`;
}

/** Methods of one name with different parameters are one operation, whose parameters are those of all of them. */
function methodRoutesOf(
  { model, captions, paths }: ApplicationParts,
  service: string,
  method: string,
  overloads: readonly ServiceMethod[],
): readonly RouteDescription[] {
  return (['get', 'post'] as const).flatMap((httpMethod) => {
    const callable = overloads.filter(({ httpMethods }) =>
      (httpMethods ?? ['GET', 'POST']).some((each) => each.toLowerCase() === httpMethod),
    );
    if (callable.length === 0) return [];
    // Overloads are one operation: it is deprecated if all of them are.
    const deprecated = callable.every((one) => one.deprecated !== undefined) ? callable[0]?.deprecated : undefined;
    const bodies = callable.map(({ parameters }) => bodyOf(model, captions, parameters));
    return methodRoutes(`${paths.basePath}${paths.servicesPath}`, {
      segments: `${service}/${method}`,
      parameters: [],
      methods: [httpMethod],
      inUrl: urlParameters(callable).map((parameter) => inUrl(parameter, parameterSchema(model, captions, parameter))),
      inBody: anyOf(bodies),
      result: mergedContent(callable.map(({ returns }) => resultContent(model, captions, returns.form))),
      suffix: `_${service}_${method}`,
      summary: `Calls ${service}.${method}${httpMethod === 'get' ? '; its parameters are in the URL' : ''}`,
      description: sentences(methodText(callable), deprecationText(deprecated)),
      deprecated: deprecated !== undefined,
      isLongRunning: callable.some(({ longRunning }) => longRunning === true),
      tag: service,
    });
  });
}

/** A body with a parameter that the method does not have calls no method. */
const bodyOf = (model: Model, captions: Captions, parameters: ServiceMethod['parameters']): Schema => ({
  ...objectOf(
    Object.fromEntries(
      parameters.map((parameter) => [
        parameter.name,
        nullableSchema(parameterSchema(model, captions, parameter), parameter.nullable),
      ]),
    ),
    parameters.filter(({ required }) => required).map(({ name }) => name),
  ),
  additionalProperties: false,
});

/** The type of a parameter, with those of its rules that JSON Schema can express. */
const parameterSchema = (
  model: Model,
  captions: Captions,
  { form, rules }: ServiceMethod['parameters'][number],
): Schema => {
  const schema = valueSchema(model, captions, form);
  return rules.length === 0 ? schema : { ...schema, ...ruleLimits(rules, { isList: form.kind === 'list' }) };
};

function methodText(overloads: readonly ServiceMethod[]): string {
  const forms = overloads.map(({ parameters }) =>
    parameters.length === 0
      ? 'none'
      : parameters.map(({ name, required }) => `\`${name}\`${required ? '' : ' (optional)'}`).join(', '),
  );
  const isVoid = overloads.every(({ returns }) => returns.form.kind === 'void');
  const result = isVoid
    ? 'The method has no result.'
    : 'The response is the result; a result of null is a 204 without a body.';
  const isRehearsable = overloads.every(({ rehearsable }) => rehearsable === true);
  const rehearsal = isRehearsable ? ' `Prefer: tx=rollback` rehearses the call.' : '';
  const isLong = overloads.some(({ longRunning }) => longRunning === true);
  const waiting = isLong ? ' With `Prefer: respond-async` a POST does not wait for it.' : '';
  return `Parameters: ${forms.join('; or ')}. ${result}${rehearsal}${waiting}`;
}

const nullableSchema = (schema: Schema, nullable: boolean): Schema =>
  nullable ? { anyOf: [schema, { type: 'null' }] } : schema;

/** The parameters of all methods by name; required are those that every method requires. */
function urlParameters(methods: readonly ServiceMethod[]): readonly ServiceMethod['parameters'][number][] {
  const names = new Set(methods.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
  return [...names].flatMap((name) => {
    const found = methods.map(({ parameters }) => parameters.find((parameter) => parameter.name === name));
    const [first] = found.filter((parameter) => parameter !== undefined);
    return first === undefined ? [] : [{ ...first, required: found.every((each) => each?.required === true) }];
  });
}

/** Any value that one of the schemas describes. */
function anyOf(schemas: readonly Schema[]): Schema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first = {}, ...others] = different;
  const isAnything = different.some((schema) => Object.keys(schema).length === 0);
  if (isAnything) return {};
  return others.length === 0 ? first : { anyOf: different };
}

/** Results of several methods, each content type with the schemas of all methods that return it. */
function mergedContent(contents: readonly Readonly<Record<string, Schema>>[]): Readonly<Record<string, Schema>> {
  const types = new Set(contents.flatMap((content) => Object.keys(content)));
  return Object.fromEntries(
    [...types].map((type) => [
      type,
      anyOf(contents.flatMap((content) => (content[type] === undefined ? [] : [content[type]]))),
    ]),
  );
}

const sentences = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join(' ');

function deprecationText(deprecated: Deprecation | undefined): string {
  if (deprecated === undefined) return '';
  const { since, sunset, link } = deprecated;
  const end = sunset === undefined ? '' : `; it may be missing from ${sunset}`;
  return `Deprecated since ${since}${end}.${link === undefined ? '' : ` See ${link}.`}`;
}
