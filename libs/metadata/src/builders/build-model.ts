import { StartError, suggestion } from '@lintel/errors';
import { type Attribute, type ChildVisibility, isLocal } from '../entities/attribute.ts';
import { type Entity, instanceNameAttributes, instanceNameTexts, type SystemAttributes } from '../entities/entity.ts';
import type { EntityIndex } from '../entities/entity-constraints.ts';
import type { Enumeration } from '../entities/enumeration.ts';
import { builtInFetchPlans } from '../fetch-plans/built-in.ts';
import type { FetchPlan } from '../fetch-plans/fetch-plan.ts';
import type { Model } from '../model.ts';
import { searchIndexes } from '../storage/search-text.ts';
import { tableOf } from '../storage/storage-map.ts';
import type { AttributeDefinition } from './attribute-builder.ts';
import { dateTime, integer, string, uuid } from './attributes.ts';
import { bindAttribute, type Definitions } from './bind-attribute.ts';
import { checkConstraints } from './checks/check-constraints.ts';
import { checkHistory } from './checks/check-history.ts';
import { checkInheritance } from './checks/check-inheritance.ts';
import { checkPersonal } from './checks/check-personal.ts';
import { checkReferences } from './checks/check-references.ts';
import { checkRelations } from './checks/check-relations.ts';
import { checkSearchable } from './checks/check-searchable.ts';
import { checkSharedColumns } from './checks/check-shared-columns.ts';
import { checkStorage } from './checks/check-storage.ts';
import { checkUiHints } from './checks/check-ui-hints.ts';
import { checkVisibility } from './checks/check-visibility.ts';
import { type AttributeBuilders, type EntityDefinition, traitAttributes } from './entity-builder.ts';
import { fingerprint } from './fingerprint.ts';

/** What a model is built from. */
export interface ModelParts {
  readonly entities: readonly EntityDefinition[];
  readonly enums?: readonly Enumeration[];
  /** Named plans, already resolved; without them, names of plans are not checked. */
  readonly fetchPlans?: readonly FetchPlan[];
  /** Names of session attributes, which parameters of policies and queries have as `session_<name>`. */
  readonly sessionAttributes?: readonly string[];
  /** Of compositions that do not choose their own. */
  readonly compositionVisibility?: ChildVisibility | undefined;
}

/** A model that contradicts itself. `problems` has one sentence each. */
export class ModelError extends StartError {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The data model is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ModelError';
    this.problems = problems;
  }
}

/** A model with what contradicts itself in it: one sentence each. */
export interface ModelDraft {
  /** With `problems`, only its names can be relied on; it then has no fetch plans. */
  readonly model: Model;
  readonly problems: readonly string[];
}

/**
 * Binds the definitions to one immutable model.
 *
 * @throws ModelError naming every contradiction: unknown targets, inverse ends that do not match,
 *   missing keys, instance names or indexes of unknown attributes
 */
export function buildModel(parts: ModelParts): Model {
  const { model, problems } = draftModel(parts);
  if (problems.length > 0) throw new ModelError(problems);
  return model;
}

/** `buildModel` for callers that report further problems together with those of the model. */
export function draftModel(parts: ModelParts): ModelDraft {
  const definitions = firstByName(parts.entities);
  const enums = firstByName(parts.enums ?? []);
  const problems: string[] = [
    ...repeated(parts.entities).map((name) => `Two entities have the name ${name}`),
    ...repeated(parts.enums ?? []).map((name) => `Two enums have the name ${name}`),
  ];

  const entities = new Map<string, Entity>();
  const bind = (definition: EntityDefinition, descendants: readonly string[] = []): Entity => {
    const done = entities.get(definition.name);
    if (done !== undefined) return done;
    if (descendants.includes(definition.name))
      throw new ModelError([`${definition.name} extends itself, through ${descendants.at(-1)}`]);
    const ancestorDefinition = definition.ancestor === undefined ? undefined : definitions.get(definition.ancestor);
    if (definition.ancestor !== undefined && ancestorDefinition === undefined)
      problems.push(
        `${definition.name} extends the unknown entity ${definition.ancestor}${suggestion(definition.ancestor, definitions.keys())}`,
      );
    const ancestor = ancestorDefinition && bind(ancestorDefinition, [...descendants, definition.name]);
    const entity = bindEntity(definition, ancestor, definitions, problems, parts.compositionVisibility);
    entities.set(definition.name, entity);
    return entity;
  };
  for (const definition of parts.entities) bind(definition);
  problems.push(...checkReferences(entities, enums), ...checkRelations(entities), ...checkPersonal(entities));
  problems.push(...checkUiHints(entities, parts.fetchPlans));
  // Columns of unknown targets would be further contradictions, but none of their own.
  if (problems.length === 0) problems.push(...checkStorage(entities), ...checkConstraints(entities));
  const bare = bareModel(entities, enums);
  if (problems.length === 0) problems.push(...checkInheritance(bare, definitions));
  if (problems.length === 0)
    problems.push(
      ...checkSearchable(bare),
      ...checkSharedColumns(bare),
      ...checkVisibility(bare),
      ...checkHistory(bare),
    );

  const fetchPlans = problems.length > 0 ? new Map() : fetchPlansOf(entities, parts.fetchPlans ?? []);
  const { sessionAttributes = [] } = parts;
  return {
    model: versioned({ entities, enums, fetchPlans, dynamicAttributes: new Map(), sessionAttributes }),
    problems,
  };
}

/** The model with other named fetch plans; its entities and enums are not bound and checked again. */
export function withFetchPlans(model: Model, named: readonly FetchPlan[]): ModelDraft {
  const problems = checkUiHints(model.entities, named);
  const fetchPlans = problems.length > 0 ? new Map() : fetchPlansOf(model.entities, named);
  const { entities, enums, dynamicAttributes, sessionAttributes = [] } = model;
  return { model: versioned({ entities, enums, fetchPlans, dynamicAttributes, sessionAttributes }), problems };
}

/** The version is computed when it is first read: of a whole model, it takes some milliseconds. */
function versioned(parts: Omit<Model, 'version'>): Model {
  let version: string | undefined;
  return Object.freeze({
    ...parts,
    get version() {
      version ??= fingerprint({
        entities: [...parts.entities.values()],
        enums: [...parts.enums.values()],
        fetchPlans: [...parts.fetchPlans.values()],
      });
      return version;
    },
  });
}

/** A model of which only the storage is asked for. */
const bareModel = (entities: Model['entities'], enums: Model['enums']): Model => ({
  version: '',
  entities,
  enums,
  fetchPlans: new Map(),
  dynamicAttributes: new Map(),
});

/** The others of a name are among the problems. */
function firstByName<T extends { readonly name: string }>(definitions: readonly T[]): ReadonlyMap<string, T> {
  const byName = new Map<string, T>();
  for (const definition of definitions) if (!byName.has(definition.name)) byName.set(definition.name, definition);
  return byName;
}

/** Names that several of the definitions have. */
function repeated(definitions: readonly { readonly name: string }[]): readonly string[] {
  const names = definitions.map(({ name }) => name);
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}

function fetchPlansOf(
  entities: ReadonlyMap<string, Entity>,
  named: readonly FetchPlan[],
): ReadonlyMap<string, ReadonlyMap<string, FetchPlan>> {
  const fetchPlans = new Map<string, Map<string, FetchPlan>>();
  for (const entity of entities.values())
    fetchPlans.set(entity.name, new Map(builtInFetchPlans(entities, entity).map((plan) => [plan.name ?? '', plan])));
  for (const plan of named) if (plan.name !== undefined) fetchPlans.get(plan.entity)?.set(plan.name, plan);
  return fetchPlans;
}

function bindEntity(
  definition: EntityDefinition,
  ancestor: Entity | undefined,
  definitions: ReadonlyMap<string, EntityDefinition>,
  problems: string[],
  visibility: ChildVisibility | undefined,
): Entity {
  const attributes = new Map<string, Attribute>(ancestor?.attributes);
  for (const [name, builder] of Object.entries(withSystemAttributes(definition))) {
    attributes.set(name, bindAttribute(name, definition, builder.definition, definitions, visibility));
    if (builder.definition.visibility !== undefined && builder.definition.composition !== true)
      problems.push(`${definition.name}.${name} cannot have a visibility: it is no composition`);
    if (builder.definition.unique === true && !isSingleValue(builder.definition))
      problems.push(`${definition.name}.${name} cannot be unique: it is no single value`);
  }
  const keyAttribute = definition.key === undefined ? undefined : attributes.get(definition.key.attribute);
  if (definition.key !== undefined && keyAttribute === undefined)
    problems.push(
      `${definition.name} has no key attribute ${definition.key.attribute}${suggestion(definition.key.attribute, attributes.keys())}`,
    );
  const keyParts =
    keyAttribute?.kind === 'embedded' ? Object.keys(definitions.get(keyAttribute.target)?.attributes ?? {}) : [];
  for (const name of definition.instanceName === undefined ? [] : instanceNameAttributes(definition.instanceName)) {
    const attribute = attributes.get(name);
    if (attribute === undefined)
      problems.push(
        `The instance name of ${definition.name} uses the unknown attribute ${name}${suggestion(name, attributes.keys())}`,
      );
    else if (definition.kind === 'entity' && !isNameable(attribute, attributes))
      problems.push(
        `The instance name of ${definition.name} uses ${name}, which is neither stored nor computed of stored single values`,
      );
  }
  for (const text of definition.instanceName === undefined ? [] : instanceNameTexts(definition.instanceName))
    if (attributes.has(text))
      problems.push(`The instance name of ${definition.name} has the text "${text}"; the attribute is {${text}}`);
  for (const index of definition.indexes) {
    for (const path of index.attributes) {
      const [name = '', inner] = path.split('.');
      const attribute = attributes.get(name);
      if (attribute === undefined)
        problems.push(
          `An index of ${definition.name} uses the unknown attribute ${path}${suggestion(name, attributes.keys())}`,
        );
      else if (inner !== undefined) problems.push(...innerProblems(definition, path, inner, attribute, definitions));
    }
    if (index.search === true && (index.unique || index.attributes.length !== 1))
      problems.push(`A search index of ${definition.name} is of one attribute and not unique: ${index.attributes}`);
  }
  const ui = definition.ui ?? ancestor?.ui;
  return Object.freeze({
    name: definition.name,
    kind: definition.kind,
    abstract: definition.abstract,
    ancestor: definition.ancestor,
    descendants: Object.freeze(
      [...definitions.values()].filter((other) => other.ancestor === definition.name).map((other) => other.name),
    ),
    attributes,
    key:
      definition.key === undefined
        ? ancestor?.key
        : Object.freeze({ ...definition.key, parts: Object.freeze(keyParts) }),
    system: Object.freeze({ ...ancestor?.system, ...systemAttributesOf(definition) }),
    instanceName: definition.instanceName ?? ancestor?.instanceName,
    rules: Object.freeze([...(ancestor?.rules ?? []), ...definition.rules]),
    indexes: Object.freeze([
      ...definition.indexes,
      ...treeIndex(definition, (definition.key ?? ancestor?.key)?.attribute),
      ...(definition.kind === 'entity' ? searchIndexes(definition.name, attributes) : []),
    ]),
    ...(definition.checks === undefined ? {} : { checks: Object.freeze({ ...definition.checks }) }),
    ...(definition.exclusions === undefined ? {} : { exclusions: Object.freeze({ ...definition.exclusions }) }),
    ...tableOfDefinition(definition, definitions),
    ...(definition.renamedFrom === undefined ? {} : { renamedFrom: definition.renamedFrom }),
    ...(definition.inheritance === undefined ? {} : { inheritance: Object.freeze({ ...definition.inheritance }) }),
    ...(definition.discriminatorValue === undefined ? {} : { discriminatorValue: definition.discriminatorValue }),
    ...(definition.keyColumns === undefined ? {} : { keyColumns: Object.freeze([...definition.keyColumns]) }),
    ...(definition.isView === true && { isView: true as const }),
    ...((definition.readOnly === true || ancestor?.readOnly === true) && { readOnly: true as const }),
    ...smallestGroup(definition.minimumGroup ?? ancestor?.minimumGroup),
    ...(definition.history !== undefined && { history: Object.freeze({ ...definition.history }) }),
    ...(definition.accessLog !== undefined && { accessLog: Object.freeze({ ...definition.accessLog }) }),
    ...(ui !== undefined && { ui }),
  });
}

/** The entities of a single table have the location of that of the root. */
function tableOfDefinition(definition: EntityDefinition, definitions: Definitions): Pick<Entity, 'table'> {
  const root = rootDefinition(definition, definitions);
  if (root === definition || root.inheritance?.strategy !== 'single-table')
    return definition.table === undefined ? {} : { table: Object.freeze({ ...definition.table }) };
  return { table: Object.freeze(root.table === undefined ? { ...tableOf(root), owned: true } : { ...root.table }) };
}

function rootDefinition(definition: EntityDefinition, definitions: Definitions): EntityDefinition {
  const above = definitions.get(definition.ancestor ?? '');
  return above === undefined ? definition : rootDefinition(above, definitions);
}

/** Of an index on an attribute of an embedded object. */
function innerProblems(
  definition: EntityDefinition,
  path: string,
  inner: string,
  attribute: Attribute,
  definitions: Definitions,
): readonly string[] {
  if (attribute.kind !== 'embedded') return [];
  const known = Object.keys(definitions.get(attribute.target)?.attributes ?? {});
  return known.length === 0 || known.includes(inner)
    ? []
    : [`An index of ${definition.name} uses the unknown attribute ${path}${suggestion(inner, known)}`];
}

/** The statement that reads the instance also reads the attributes of instance names. */
function isNameable(attribute: Attribute, attributes: ReadonlyMap<string, Attribute>): boolean {
  if (attribute.persistent) return true;
  if (attribute.kind !== 'datatype' || attribute.compute === undefined) return false;
  return attribute.dependsOn.every((name) => {
    const needed = attributes.get(name);
    return needed?.persistent === true && isLocal(needed);
  });
}

/** The order is the one of the metadata: key, version and audit first, then the entity's own. */
function withSystemAttributes(definition: EntityDefinition): AttributeBuilders {
  const { traits, key } = definition;
  const system: Record<string, AttributeBuilders[string]> = {};
  if (key?.attribute === 'id' && definition.attributes['id'] === undefined) system['id'] = uuid().mandatory();
  for (const name of traitAttributes(traits)) system[name] = SYSTEM_BUILDERS[name];
  return { ...system, ...definition.attributes };
}

const SYSTEM_BUILDERS: Readonly<Record<keyof SystemAttributes, AttributeBuilders[string]>> = {
  version: integer().mandatory(),
  createdDate: dateTime(),
  createdBy: string(255),
  lastModifiedDate: dateTime(),
  lastModifiedBy: string(255),
  deletedDate: dateTime(),
  deletedBy: string(255),
};

const systemAttributesOf = ({ traits }: EntityDefinition): SystemAttributes =>
  Object.fromEntries(traitAttributes(traits).map((name) => [name, name]));

const isSingleValue = ({ kind, cardinality }: AttributeDefinition): boolean =>
  kind === 'datatype' || kind === 'enum' || cardinality === 'MANY_TO_ONE' || cardinality === 'ONE_TO_ONE';

const smallestGroup = (minimumGroup: number | undefined): Pick<Entity, 'minimumGroup'> =>
  minimumGroup === undefined ? {} : { minimumGroup };

/** Children are found by an index that has their keys, too. */
const treeIndex = ({ attributes }: EntityDefinition, key = 'id'): readonly EntityIndex[] =>
  Object.entries(attributes)
    .filter(([, { definition }]) => definition.tree === true)
    .map(([name]) => ({ attributes: [name, key], unique: false }));
