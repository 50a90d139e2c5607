import { StartError, suggestion } from '@lintel/errors';
import {
  type Attribute,
  type Entity,
  type FetchPlan,
  type FetchPlanProperty,
  isLocal,
  lineageOf,
  MINIMAL_FETCH_PLAN,
  type Model,
} from '@lintel/metadata';
import {
  assertChildren,
  depthOf,
  memberSelection,
  readExactJson,
  repeatChildren,
  resolveMembers,
  UNLIMITED,
} from '@lintel/query';
import { throwProblems } from '../invalid-application.ts';
import { parseXml, type XmlElement } from './xml-elements.ts';

/** A resource file with fetch plans. */
export interface FetchPlanSource {
  /** Resource name, for error texts. */
  readonly name: string;
  /** The content of the file: XML. */
  readonly text: string;
}

/** A fetch plan that contradicts the model or another plan; the message names the file and the plan. */
export class FetchPlanError extends StartError {
  constructor(source: string, plan: string | undefined, problem: string) {
    super(`${source}${plan === undefined ? '' : `, fetch plan ${plan}`}: ${problem}`);
    this.name = 'FetchPlanError';
  }
}

interface Definition {
  readonly source: string;
  readonly element: XmlElement;
  readonly entity: Entity;
  readonly name: string;
}

type Plans = Map<string, Map<string, FetchPlan>>;

/** Names of the resources that a fetch plan file includes. */
export const includedResources = (source: FetchPlanSource): readonly string[] =>
  rootOf(source).children.flatMap((child) =>
    child.name === 'include' && child.attributes['file'] !== undefined ? [child.attributes['file']] : [],
  );

/**
 * Reads named fetch plans from XML resources (contract/fetch-plans.md#named).
 *
 * The first definition of an (entity, name) wins unless a later one says `overwrite="true"` or extends its
 * own name. Plans may refer to plans that come later, in any file.
 *
 * @throws FetchPlanError, or ApplicationError with several problems, for malformed XML, unknown entities, attributes or plans, an attribute named
 *   twice, and nested plans on attributes that are no references
 */
export function parseFetchPlans(sources: readonly FetchPlanSource[], model: Model): readonly FetchPlan[] {
  const problems: FetchPlanError[] = [];
  const collecting = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FetchPlanError)) throw error;
      problems.push(error);
      return undefined;
    }
  };
  const definitions = sources.flatMap((source) =>
    (collecting(() => rootOf(source).children) ?? []).flatMap(
      (element) => collecting(() => definitionOf(source, element, model)) ?? [],
    ),
  );
  const plans: Plans = new Map([...model.fetchPlans].map(([entity, named]) => [entity, new Map(named)]));
  const builtIn = (entity: Entity, name: string): boolean =>
    name !== MINIMAL_FETCH_PLAN && (model.fetchPlans.get(entity.name)?.has(name) ?? false);
  const pending = new Map<string, Definition>();
  const ownBase = new Map<Definition, Definition>();
  const keyOf = (entity: Entity, name: string): string => `${entity.name}\n${name}`;
  for (const definition of definitions) {
    const { entity, name, source, element } = definition;
    if (builtIn(entity, name)) problems.push(new FetchPlanError(source, name, 'is the name of a built-in plan'));
    const earlier = pending.get(keyOf(entity, name));
    const extendsItself = listOf(element.attributes['extends']).includes(name);
    if (earlier !== undefined && !extendsItself && element.attributes['overwrite'] !== 'true') continue;
    if (earlier !== undefined && extendsItself) ownBase.set(definition, earlier);
    pending.set(keyOf(entity, name), definition);
  }

  const building = new Set<Definition>();
  const build = (definition: Definition): FetchPlan => {
    const { entity, name, source, element } = definition;
    if (building.has(definition)) throw new FetchPlanError(source, name, 'refers to itself in a ring');
    building.add(definition);
    const find = (of: Entity, wanted: string): FetchPlan | undefined => {
      const next = of === entity && wanted === name ? ownBase.get(definition) : pending.get(keyOf(of, wanted));
      if (next !== undefined && !(of === entity && wanted === name && next === definition)) return build(next);
      return plans.get(of.name)?.get(wanted);
    };
    const inherited = listOf(element.attributes['extends']).flatMap((parent) => {
      const found = lineageOf(model, entity)
        .map((ancestor) => find(ancestor, parent))
        .find((plan) => plan !== undefined);
      if (found === undefined) throw new FetchPlanError(source, name, `extends the unknown plan ${parent}`);
      return found.properties;
    });
    const system = element.attributes['systemProperties'] === 'true' ? systemProperties(entity) : [];
    const own = readProperties(definition, element, entity, model, find, problems);
    building.delete(definition);
    return Object.freeze({ name, entity: entity.name, properties: union([...inherited, ...system, ...own]) });
  };
  const built = [...pending.values()].flatMap((definition) => {
    building.clear();
    return collecting(() => build(definition)) ?? [];
  });
  throwProblems(problems);
  return built;
}

const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function rootOf(source: FetchPlanSource): XmlElement {
  let root: XmlElement;
  try {
    root = parseXml(source.text);
  } catch (error) {
    throw new FetchPlanError(source.name, undefined, error instanceof Error ? error.message : String(error));
  }
  if (root.name !== 'fetchPlans' && root.name !== 'views')
    throw new FetchPlanError(source.name, undefined, `the root element is <${root.name}>, not <fetchPlans>`);
  return root;
}

/** @throws FetchPlanError */
function definitionOf(source: FetchPlanSource, element: XmlElement, model: Model): Definition | undefined {
  if (element.name === 'include') return undefined;
  const { name, entity: entityName } = element.attributes;
  if (element.name !== 'fetchPlan' && element.name !== 'view')
    throw new FetchPlanError(source.name, undefined, `<${element.name}> is not known here`);
  if (name === undefined || entityName === undefined)
    throw new FetchPlanError(source.name, name, 'needs the attributes "name" and "entity"');
  const entity = model.entities.get(entityName);
  if (entity === undefined)
    throw new FetchPlanError(
      source.name,
      name,
      `is of the unknown entity ${entityName}${suggestion(entityName, model.entities.keys())}`,
    );
  return { source: source.name, element, entity, name };
}

type FindPlan = (entity: Entity, name: string) => FetchPlan | undefined;

function readProperties(
  definition: Definition,
  element: XmlElement,
  entity: Entity,
  model: Model,
  find: FindPlan,
  problems: FetchPlanError[],
): readonly FetchPlanProperty[] {
  const fail = (problem: string): never => {
    throw new FetchPlanError(definition.source, definition.name, problem);
  };
  const seen = new Set<string>();
  const elements = element.children.filter(({ name }) => name !== 'filter');
  return elements.flatMap((child): FetchPlanProperty | readonly FetchPlanProperty[] => {
    const name = child.attributes['name'];
    if (child.name !== 'property' || name === undefined) return fail(`<${child.name}> is not known here`);
    if (seen.has(name)) return fail(`names ${entity.name}.${name} twice`);
    seen.add(name);
    const attribute = entity.attributes.get(name);
    if (attribute === undefined) {
      const problem = `names the unknown attribute ${entity.name}.${name}${suggestion(name, entity.attributes.keys())}`;
      problems.push(new FetchPlanError(definition.source, definition.name, problem));
      return [];
    }
    const planName = child.attributes['fetchPlan'] ?? child.attributes['view'];
    const target = targetOf(attribute, model);
    if (target === undefined) {
      if (planName !== undefined || child.children.length > 0) fail(`${entity.name}.${name} is no reference`);
      return { name, plan: undefined };
    }
    const nested = readProperties(definition, child, target, model, find, problems);
    const selection = readMembers(child, attribute, model, fail);
    const depth = readDepth(child, entity, attribute, model, fail);
    const ofChildren = (plan: FetchPlan): FetchPlanProperty => ({
      name,
      plan: repeatChildren(model, plan, { name, ...selection }, depth),
      ...selection,
    });
    const wanted = planName ?? (nested.length === 0 ? '_base' : undefined);
    if (wanted === undefined) return ofChildren(anonymous(target, nested));
    const named = find(target, wanted);
    if (named === undefined) return fail(`${entity.name}.${name} names the unknown plan ${wanted} of ${target.name}`);
    if (nested.length === 0) return ofChildren(named);
    // A plan that adds to a named one keeps its name (contract/metadata.md#fetch-plans).
    const properties = union([...named.properties, ...nested]);
    return ofChildren(Object.freeze({ name: wanted, entity: target.name, properties }));
  });
}

/** The selection of a collection's members: attributes of the element, and its filter as JSON. */
function readMembers(
  { attributes, children }: XmlElement,
  attribute: Attribute,
  model: Model,
  fail: (problem: string) => never,
): Pick<FetchPlanProperty, 'members'> {
  const filter = children.find(({ name }) => name === 'filter')?.text;
  try {
    const given = filter === undefined ? {} : { filter: readExactJson(filter) };
    const members = memberSelection({ ...attributes, ...given });
    if (members === undefined) return {};
    resolveMembers(model, attribute, members, UNLIMITED);
    return { members };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** Maximum number of levels of children in a named plan. */
const MAX_DEPTH = 100;

/** The levels of children in a tree; 1 for others. */
function readDepth(
  { attributes }: XmlElement,
  entity: Entity,
  attribute: Attribute,
  model: Model,
  fail: (problem: string) => never,
): number {
  if (attributes['depth'] === undefined) return 1;
  try {
    assertChildren(model, entity, attribute);
    const depth = depthOf({ name: attribute.name, depth: attributes['depth'] }) ?? 1;
    return depth <= MAX_DEPTH ? depth : fail(`${attribute.name} has a depth above ${MAX_DEPTH}`);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function targetOf(attribute: Attribute, model: Model): Entity | undefined {
  if (isLocal(attribute) || attribute.kind === 'elements') return undefined;
  return model.entities.get(attribute.target);
}

const anonymous = (entity: Entity, properties: readonly FetchPlanProperty[]): FetchPlan =>
  Object.freeze({ name: undefined, entity: entity.name, properties });

const systemProperties = (entity: Entity): readonly FetchPlanProperty[] =>
  [entity.key?.attribute, ...Object.values(entity.system)]
    .filter((name): name is string => name !== undefined)
    .map((name) => ({ name, plan: undefined }));

/** Later properties add to earlier ones of the same name. */
function union(properties: readonly FetchPlanProperty[]): readonly FetchPlanProperty[] {
  const merged = new Map<string, FetchPlanProperty>();
  for (const property of properties) {
    const earlier = merged.get(property.name);
    const members = property.members ?? earlier?.members;
    if (earlier?.plan === undefined || property.plan === undefined) {
      merged.set(property.name, property.plan === undefined ? (earlier ?? property) : property);
    } else {
      const plan = {
        name: property.plan.name ?? earlier.plan.name,
        entity: earlier.plan.entity,
        properties: union([...earlier.plan.properties, ...property.plan.properties]),
      };
      merged.set(property.name, { name: property.name, plan, ...(members && { members }) });
    }
  }
  return Object.freeze([...merged.values()]);
}
