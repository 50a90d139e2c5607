import {
  AttributeBuilder,
  type AttributeBuilders,
  buildModel,
  compositionOfMany,
  compositionOfOne,
  DATATYPES,
  type Datatype,
  dto,
  type EntityDefinition,
  elements,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  type InstanceName,
  integer,
  keyedEntity,
  long,
  type Model,
  manyToMany,
  manyToManyInverse,
  softDeletedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
  toOneInverse,
  uuid,
} from '@lintel/metadata';
import { between, type Choose, chance, pick, some, times } from './choose.ts';

/** Constant names differ from the stored ids, and the ids sort otherwise than the names. */
export const ENUMS = [
  enumeration('m.Color', { RED: 'z', GREEN: 'b', BLUE: "it's" }),
  enumeration('m.Level', { LOW: 30, MIDDLE: 20, HIGH: 10 }),
];

// biome-ignore lint/suspicious/noExplicitAny: the value type of each attribute differs
type Builder = AttributeBuilder<any>;
type Attributes = Record<string, Builder>;

/** An attribute of any datatype; those without a builder of their own included. */
function datatype(choose: Choose, type: Datatype): Builder {
  if (type === 'decimal') {
    const [precision, scale] = pick(choose, [
      [10, 2],
      [38, 6],
      [5, 4],
      [undefined, undefined],
    ] as const);
    return new AttributeBuilder({
      kind: 'datatype',
      datatype: type,
      ...(precision === undefined ? {} : { precision, scale }),
    });
  }
  if (type === 'string' && chance(choose, 60)) return string(between(choose, 1, 12));
  return new AttributeBuilder({ kind: 'datatype', datatype: type });
}

/** JSON values have tests of their own: the reference implementation of these tests compares single values. */
const SCALARS = DATATYPES.filter((type) => type !== 'json');

/** Local attributes, embedded objects, element collections; some are secret. */
function ownAttributes(choose: Choose, suffix: string, embeddables: readonly string[]): Attributes {
  const attributes: Attributes = {};
  for (const type of some(choose, SCALARS, 35)) attributes[`${type}${suffix}`] = datatype(choose, type);
  for (const [at, type] of some(choose, ENUMS, 40).entries()) attributes[`enum${at}${suffix}`] = enumOf(type);
  for (const target of some(choose, embeddables, 40)) {
    const builder = embedded(target);
    attributes[`${target.slice(2).toLowerCase()}${suffix}`] = chance(choose, 20) ? builder.mandatory() : builder;
  }
  if (chance(choose, 40)) attributes[`items${suffix}`] = elementsOf(choose);
  for (const [name, builder] of Object.entries(attributes)) if (chance(choose, 5)) attributes[name] = builder.secret();
  return attributes;
}

const elementsOf = (choose: Choose): Builder =>
  chance(choose, 50)
    ? elements(20)
    : new AttributeBuilder({
        kind: 'elements',
        datatype: pick(choose, ['int', 'long', 'decimal', 'localDate', 'uuid', 'offsetDateTime', 'boolean'] as const),
      });

/** Attributes that are not stored: one that nothing computes, and two that are computed of what is loaded. */
function unstoredAttributes(choose: Choose, attributes: Attributes): Attributes {
  const stored = Object.keys(attributes).filter((name) => {
    const { kind } = attributes[name]?.definition ?? {};
    return kind === 'datatype' && hasOneText(attributes[name]);
  });
  const collections = Object.keys(attributes).filter((name) => isCollection(attributes[name]));
  const added: Attributes = chance(choose, 30) ? { scratch: string().transient() } : {};
  if (stored.length > 0 && chance(choose, 50)) {
    const name = pick(choose, stored);
    added['described'] = string().computed([name], (values) => described(values[name]));
  }
  if (collections.length > 0 && chance(choose, 50)) {
    const name = pick(choose, collections);
    added['counted'] = integer().computed([name], (values) => counted(values[name]));
  }
  return added;
}

/** The text of a binary float is not the same everywhere. */
const hasOneText = (builder: Builder | undefined): boolean =>
  builder?.definition.datatype !== 'float' && builder?.definition.datatype !== 'double';

const isCollection = (builder: Builder | undefined): boolean =>
  builder?.definition.cardinality === 'ONE_TO_MANY' || builder?.definition.cardinality === 'MANY_TO_MANY';

/** The values of computed attributes. */
export const described = (value: unknown): string | null =>
  value === null || value === undefined ? null : `<${typeof value} ${String(value)}>`;
export const counted = (value: unknown): number | null => (Array.isArray(value) ? value.length : null);

type Kind = 'standard' | 'soft' | 'string' | 'long' | 'int' | 'uuid' | 'composite';
const KINDS: readonly Kind[] = ['standard', 'soft', 'string', 'long', 'int', 'uuid', 'composite'];

/** An entity under construction. */
interface Draft {
  readonly name: string;
  readonly ancestor: Draft | undefined;
  readonly kind: Kind;
  readonly isAbstract: boolean;
  readonly isSoft: boolean;
  readonly attributes: Attributes;
}

const lineage = (draft: Draft): readonly Draft[] =>
  draft.ancestor === undefined ? [draft] : [draft, ...lineage(draft.ancestor)];

const KEY_PARTS: readonly Attributes[] = [
  { text: string(10), day: new AttributeBuilder({ kind: 'datatype', datatype: 'localDate' }) },
  { number: integer(), uuid: uuid() },
  { big: long(), small: new AttributeBuilder({ kind: 'datatype', datatype: 'short' }), text: string(5) },
];

/** A small model with every kind of entity and attribute, at random. */
export function generateModel(choose: Choose): Model {
  const parts = pick(choose, KEY_PARTS);
  const inner = embeddable('m_Inner', { attributes: { ...some2(choose), note: string(10) } });
  const drafts = draftEntities(choose);
  const location = embeddable('m_Location', {
    attributes: {
      ...some2(choose),
      city: string(10),
      inner: embedded('m_Inner'),
      hush: string(5).secret(),
      ...(chance(choose, 50) ? { spot: toOne(pick(choose, drafts).name) } : {}),
    },
  });
  for (const draft of drafts) {
    addReferences(choose, draft, drafts);
    if (chance(choose, 40)) addTree(choose, draft, drafts);
  }
  for (const draft of drafts) Object.assign(draft.attributes, unstoredAttributes(choose, draft.attributes));
  return buildModel({
    enums: ENUMS,
    entities: [
      embeddable('m_Key', { attributes: parts }),
      inner,
      location,
      dto('m_Dto', { attributes: { total: integer() } }),
      ...drafts.map((draft) => definitionOf(choose, draft)),
    ],
  });
}

const some2 = (choose: Choose): Attributes =>
  Object.fromEntries(some(choose, SCALARS, 15).map((type) => [`${type}In`, datatype(choose, type)]));

function draftEntities(choose: Choose): readonly Draft[] {
  const embeddables = ['m_Location', 'm_Inner'];
  const plain = times(between(choose, 2, 3), (at): Draft => {
    const kind = pick(choose, KINDS);
    const isSoft = kind === 'soft' || (kind !== 'standard' && chance(choose, 40));
    const attributes = ownAttributes(choose, '', embeddables);
    return { name: `m_Plain${at}`, ancestor: undefined, kind, isAbstract: false, isSoft, attributes };
  });
  const draft = (name: string, ancestor: Draft | undefined, suffix: string, isAbstract: boolean): Draft => {
    const kind = ancestor?.kind ?? pick(choose, KINDS);
    const isSoft = ancestor?.isSoft ?? (kind === 'soft' || (kind !== 'standard' && chance(choose, 40)));
    return { name, ancestor, kind, isAbstract, isSoft, attributes: ownAttributes(choose, suffix, embeddables) };
  };
  const base = draft('m_Base', undefined, 'Base', chance(choose, 50));
  const left = draft('m_Left', base, 'Left', false);
  const right = draft('m_Right', base, 'Right', false);
  return [...plain, base, left, right, ...(chance(choose, 50) ? [draft('m_Leaf', left, 'Leaf', false)] : [])];
}

/** References to any entity, itself included, most of them with an inverse at the other end. */
function addReferences(choose: Choose, draft: Draft, drafts: readonly Draft[]): void {
  const suffix = draft.name.slice(2);
  for (let at = 0; at < between(choose, 1, 2); at += 1) {
    const target = pick(choose, drafts);
    const name = `to${at}${suffix}`;
    draft.attributes[name] = toOne(target.name);
    const many = chance(choose, 50) ? compositionOfMany : toMany;
    if (chance(choose, 70)) {
      const builder = many(draft.name, name);
      target.attributes[`many${at}${suffix}`] =
        many === compositionOfMany && isAbove(target, draft, drafts) && chance(choose, 90)
          ? builder.visibility('owner')
          : builder;
    }
  }
  if (chance(choose, 40)) {
    const target = pick(choose, drafts);
    const name = `one${suffix}`;
    const composition = compositionOfOne(target.name);
    const visible =
      isAbove(draft, target, drafts) && chance(choose, 90) ? composition.visibility('owner') : composition;
    draft.attributes[name] = chance(choose, 50) ? visible : toOne(target.name).unique();
    if (chance(choose, 60)) target.attributes[`back${suffix}`] = toOneInverse(draft.name, name);
  }
  if (chance(choose, 50)) {
    const target = pick(choose, drafts);
    const name = `links${suffix}`;
    draft.attributes[name] = manyToMany(target.name);
    if (chance(choose, 70)) target.attributes[`linked${suffix}`] = manyToManyInverse(draft.name, name);
  }
}

/** A parent, most of the time with the children at the other end. */
function addTree(choose: Choose, draft: Draft, drafts: readonly Draft[]): void {
  const hasTree = (each: Draft): boolean => 'parent' in each.attributes;
  const family = drafts.filter((each) => lineage(each).includes(draft) || lineage(draft).includes(each));
  if (draft.kind === 'composite' || family.some(hasTree)) return;
  draft.attributes['parent'] = toOne(draft.name).tree();
  if (chance(choose, 80)) draft.attributes['children'] = toMany(draft.name, 'parent');
}

/** Owners come before their children, so that no composition leads back to its entity. */
const isAbove = (owner: Draft, child: Draft, drafts: readonly Draft[]): boolean => {
  const rootOf = (draft: Draft): Draft => (draft.ancestor === undefined ? draft : rootOf(draft.ancestor));
  return drafts.indexOf(rootOf(owner)) < drafts.indexOf(rootOf(child));
};

const KEYS: Readonly<Record<Exclude<Kind, 'standard' | 'soft'>, readonly [string, Builder]>> = {
  string: ['code', string(12)],
  long: ['id', long()],
  int: ['number', integer()],
  uuid: ['id', uuid()],
  composite: ['id', embedded('m_Key')],
};

function definitionOf(choose: Choose, draft: Draft): EntityDefinition {
  const { name, ancestor, kind, attributes: own } = draft;
  const options = {
    ...(chance(choose, 75) ? { instanceName: instanceNameOf(choose, draft) } : {}),
    abstract: draft.isAbstract,
    ...(ancestor === undefined ? {} : { extends: ancestor.name }),
  };
  if (kind === 'standard') return standardEntity(name, { ...options, attributes: own });
  if (kind === 'soft') return softDeletedEntity(name, { ...options, attributes: own });
  const [key, builder] = KEYS[kind];
  const attributes: AttributeBuilders = ancestor === undefined ? { [key]: builder, ...own } : own;
  const traits = { softDeleted: draft.isSoft, versioned: chance(choose, 50) };
  return keyedEntity(name, { ...options, key, attributes, traits });
}

/** Made of texts, local attributes and to-one references; names may refer to each other in a ring. */
function instanceNameOf(choose: Choose, draft: Draft): InstanceName {
  const all: Attributes = Object.assign({}, ...lineage(draft).map(({ attributes }) => attributes));
  const usable = Object.keys(all).filter((name) => {
    const { kind, cardinality, transient } = all[name]?.definition ?? {};
    if (transient) return name === 'described';
    const isOne = cardinality === 'MANY_TO_ONE' || cardinality === 'ONE_TO_ONE';
    return hasOneText(all[name]) && (kind === 'datatype' || kind === 'enum' || (kind === 'reference' && isOne));
  });
  const names = usable.length === 0 ? [] : times(between(choose, 1, 3), () => pick(choose, usable));
  if (chance(choose, 30))
    return {
      kind: 'method',
      dependsOn: [...new Set(names)],
      format: (values) => [...new Set(names)].map((name) => `${name}=${values[name] ?? '?'}`).join(';'),
    };
  return {
    kind: 'parts',
    parts: names.flatMap((attribute, at) => (at === 0 ? [{ attribute }] : [{ text: " 'and' " }, { attribute }])),
  };
}
