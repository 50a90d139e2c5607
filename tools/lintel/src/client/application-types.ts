import type { Application, PredefinedQuery, ServiceMethod } from '@lintel/application';
import type { Entity, FetchPlan, Model } from '@lintel/metadata';
import { exactNumbers, kindsType } from './attribute-kinds.ts';
import { attributeType, constantsOf, formType, memberName, parameterType, typeName } from './type-texts.ts';

/** Where the parts of the API are. */
interface ApiPaths {
  readonly basePath: string;
  readonly entitiesPath: string;
  readonly queriesPath: string;
  readonly servicesPath: string;
  readonly changesPath: string;
  readonly filesPath: string;
  readonly metadataPath: string;
  readonly messagesPath: string;
  readonly permissionsPath: string;
  readonly userInfoPath: string;
  readonly userSessionPath: string;
  readonly ticketsPath: string;
}

type Parts = Pick<Application, 'name' | 'model' | 'predefinedQueries' | 'restServices'>;

/** The source of `index.ts` of a client: the types of an application, and `createClient` of `@lintel/client` for them. */
export function applicationTypes(application: Parts, paths: ApiPaths): string {
  const { model } = application;
  const entities = [...model.entities.values()].sort(byName);
  const enums = [...model.enums.values()].sort(byName);
  const services = [...application.restServices].sort(([one], [other]) => (one < other ? -1 : 1));
  return `// Made by "lintel client" from the application ${JSON.stringify(application.name)}; made anew when the model changes.
import * as lintel from '@lintel/client';

export {
  type ConditionGroup,
  type ConnectionOptions as ClientOptions,
  createSession,
  LintelError,
  RestError,
  requestToken,
} from '@lintel/client';

/** Where the API of the application is, and which of its numbers are texts because a double would change them. */
export const description: lintel.ApiDescription = {
  paths: {
${pathMembers(paths)}
  },
  numbers: ${exactNumbers(model)},
};

/** The client of the application. */
export const createClient = (options: lintel.ConnectionOptions): lintel.Client<Api> =>
  lintel.createClient<Api>(options, description);

/** Entities with their fetch plans and queries, and services, by the names that the API has for them. */
export interface Api {
  readonly entities: {
${entities
  .filter(({ kind }) => kind === 'entity')
  .map((entity) => entityEntry(application, entity))
  .join('\n')}
  };
  readonly objects: {
${entities
  .filter(({ kind }) => kind !== 'entity')
  .map((entity) => `    readonly ${memberName(entity.name)}: {\n${objectMembers(entity)}\n    };`)
  .join('\n')}
  };
  readonly services: {
${services.map(([name, { methods }]) => `    readonly ${memberName(name)}: {\n${methodEntries(methods)}\n    };`).join('\n')}
  };
}
${enums.map(({ name }) => `\nexport type ${typeName(name)} = ${constantsOf(model, name)};\n`).join('')}
${entities.map((entity) => instanceType(entity)).join('\n')}`;
}

function pathMembers({ basePath, ...paths }: ApiPaths): string {
  const below = {
    entities: paths.entitiesPath,
    queries: paths.queriesPath,
    services: paths.servicesPath,
    changes: paths.changesPath,
    files: paths.filesPath,
    metadata: paths.metadataPath,
    messages: paths.messagesPath,
    permissions: paths.permissionsPath,
    userInfo: paths.userInfoPath,
    userSession: paths.userSessionPath,
    tickets: paths.ticketsPath,
  };
  const members = Object.entries(below).map(([name, path]) => `    ${name}: '${basePath}${path}',`);
  return [`    base: '${basePath}',`, ...members].join('\n');
}

const objectMembers = (entity: Entity): string =>
  `      readonly instance: ${typeName(entity.name)};\n      readonly attributes: ${kindsType(entity)};`;

const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name < other.name ? -1 : 1;

/** What is decided by fetch plan and rights may be absent; what is not mandatory may be null. */
function instanceType(entity: Entity): string {
  const members = [...entity.attributes.values()].map((attribute) => {
    const modifier = attribute.readOnly ? 'readonly ' : '';
    const isPresent = attribute.mandatory || attribute.name === entity.key?.attribute;
    return `  ${modifier}${memberName(attribute.name)}?: ${attributeType(attribute)}${isPresent ? '' : ' | null'};`;
  });
  const identity = `  _entityName?: ${entityNameType(entity)};\n  readonly _instanceName?: string;\n`;
  return `export interface ${typeName(entity.name)} {
${entity.kind === 'embeddable' ? '' : identity}${idMember(entity)}${members.join('\n')}
}
`;
}

const entityNameType = ({ name, descendants }: Entity): string => (descendants.length === 0 ? `'${name}'` : 'string');

/** A key by another name is also the `id` of its instances. */
function idMember({ key, attributes }: Entity): string {
  const attribute = key === undefined || attributes.has('id') ? undefined : attributes.get(key.attribute);
  return attribute === undefined ? '' : `  id?: ${attributeType(attribute)};\n`;
}

function entityEntry({ model, predefinedQueries }: Parts, entity: Entity): string {
  const plans = [...(model.fetchPlans.get(entity.name) ?? [])].map(
    ([name, plan]) => `        readonly ${memberName(name)}: ${planType(model, entity, plan, '        ')};`,
  );
  const queries = [...(predefinedQueries.get(entity.name)?.values() ?? [])].map(
    (query) => `        readonly ${memberName(query.name)}: ${queryTypes(entity, query)};`,
  );
  return `    readonly ${memberName(entity.name)}: {
${objectMembers(entity)}
      readonly plans: {
${plans.join('\n')}
      };
      readonly queries: {
        readonly all: { readonly parameters: object; readonly result: readonly ${typeName(entity.name)}[] };
${queries.join('\n')}
      };
    };`;
}

/** Exactly the members that a plan shows, at every level. */
function planType(model: Model, entity: Entity, plan: FetchPlan, indent: string): string {
  const members = plan.properties.flatMap(({ name, plan: nested }) => {
    const attribute = entity.attributes.get(name);
    if (attribute === undefined || attribute.secret || (name === 'id' && entity.key?.attribute === 'id')) return [];
    const target = 'target' in attribute ? model.entities.get(attribute.target) : undefined;
    const type =
      nested === undefined || target === undefined
        ? attributeType(attribute)
        : attributeType(attribute, planType(model, target, nested, `${indent}  `));
    return [`${indent}  readonly ${memberName(name)}?: ${type}${attribute.mandatory ? '' : ' | null'};`];
  });
  const id = entity.key?.attribute === 'id' ? entity.attributes.get('id') : undefined;
  const identity = [
    `${indent}  readonly _entityName: ${entityNameType(entity)};`,
    `${indent}  readonly _instanceName?: string;`,
  ];
  const own = [
    ...(entity.kind === 'embeddable' ? [] : identity),
    ...(id === undefined ? [] : [`${indent}  readonly id: ${attributeType(id)};`]),
  ];
  return `{\n${[...own, ...members].join('\n')}\n${indent}}`;
}

/** Of a query of instances by a named plan, that plan. */
function queryTypes(entity: Entity, { declared, returns, fetchPlan }: PredefinedQuery): string {
  const parameters = declared.map(({ name, typeName: type }) => `readonly ${memberName(name)}: ${parameterType(type)}`);
  const item =
    returns === 'values'
      ? 'Readonly<Record<string, unknown>>'
      : fetchPlan === undefined
        ? typeName(entity.name)
        : `Api['entities']['${entity.name}']['plans']['${fetchPlan}']`;
  return `{ readonly parameters: { ${parameters.join('; ')} }; readonly result: readonly ${item}[] }`;
}

/** Methods of one name take the parameters of any of them. */
function methodEntries(methods: readonly ServiceMethod[]): string {
  return [...Map.groupBy(methods, ({ name }) => name)]
    .map(([name, overloads]) => {
      const parameters = new Set(overloads.map((method) => parametersType(method)));
      const results = new Set(overloads.map(({ returns }) => formType(returns.form, 'result')));
      return `      readonly ${memberName(name)}: { readonly parameters: ${[...parameters].join(' | ')}; readonly result: ${[...results].join(' | ')} };`;
    })
    .join('\n');
}

const parametersType = ({ parameters }: ServiceMethod): string =>
  parameters.length === 0
    ? 'object'
    : `{ ${parameters.map(({ name, form, required }) => `readonly ${memberName(name)}${required ? '' : '?'}: ${formType(form, 'parameter')}`).join('; ')} }`;
