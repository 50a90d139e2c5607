import { type Attribute, entityOf, type Model, type ReferenceAttribute } from '@lintel/metadata';
import { fc, type GeneratorValue } from '@lintel/testkit/properties';
import { familyOf, isMany, type Row, rowsOf, type World } from './world.ts';

/** Random choices that fast-check can repeat. */
export type Choose = GeneratorValue;

export type Body = Readonly<Record<string, unknown>>;

/** A write request. The `bodies` of a delete are ids. */
export type GeneratedWrite =
  | { readonly method: 'POST'; readonly entity: string; readonly isBatch: boolean; readonly bodies: readonly Body[] }
  | {
      readonly method: 'PUT' | 'PATCH';
      readonly entity: string;
      readonly id: string | undefined;
      readonly bodies: readonly Body[];
    }
  | { readonly method: 'DELETE'; readonly entity: string; readonly isBatch: boolean; readonly ids: readonly string[] };

const between = (choose: Choose, min: number, max: number): number => choose(fc.integer, { min, max });
const chance = (choose: Choose, percent: number): boolean => between(choose, 1, 100) <= percent;
const pick = <T>(choose: Choose, items: readonly T[]): T => items[between(choose, 0, items.length - 1)] as T;
const times = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Increasing, and less than the ids of the service, so that a choice by index in their order can be repeated. */
let lastId = 0;
const newId = (): string => {
  lastId += 1;
  return `00000000-0000-4000-8000-${String(lastId).padStart(12, '0')}`;
};

/** Few values, so that unique ones are often in use; some violate a rule. */
const TEXTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const ROOTS = [
  'l_Shelf',
  'l_Shelf',
  'l_Shelf',
  'l_Shelf',
  'l_Book',
  'l_Person',
  'l_Topic',
  'l_Loan',
  'l_Board',
  'l_Box',
];
const OTHERS = ['l_Card', 'l_Screw', 'l_Item', 'l_Note', 'l_Lid', 'l_Plate', 'l_Thing', 'l_Lamp'];

/** A valid or invalid request with stored or new rows. */
export function generateWrite(choose: Choose, model: Model, world: World): GeneratedWrite {
  const isPossible = (name: string): boolean =>
    [...entityOf(model, name).attributes.values()].every(
      (one) => one.kind !== 'reference' || !one.mandatory || rowsOf(model, world, one.target).length > 0,
    );
  const entity = pick(choose, (chance(choose, 80) ? ROOTS : OTHERS).filter(isPossible));
  const isEmpty = !rowsOf(model, world, entity).some((row) => !row.isDeleted);
  const kind = isEmpty && chance(choose, 95) ? 1 : between(choose, 1, 100);
  const some = (max: number) => (chance(choose, 60) ? 1 : between(choose, 0, max));
  if (kind <= 35) {
    const isBatch = chance(choose, 40);
    const bodies = times(isBatch ? some(3) : 1, () => generateBody(choose, model, world, entity, undefined, 3));
    return { method: 'POST', entity, isBatch, bodies: linked(choose, entity, bodies) };
  }
  if (kind <= 80) {
    const isBatch = chance(choose, 40);
    const bodies = times(isBatch ? some(3) : 1, () => {
      const id = existingId(choose, model, world, entity);
      return { ...generateBody(choose, model, world, entity, world.get(id), 3), id };
    });
    return {
      method: chance(choose, 40) ? 'PATCH' : 'PUT',
      entity,
      id: isBatch ? undefined : String(bodies[0]?.['id']),
      bodies: linked(choose, entity, bodies),
    };
  }
  const isBatch = chance(choose, 40);
  const ids = times(isBatch ? some(3) : 1, () => existingId(choose, model, world, entity));
  return { method: 'DELETE', entity, isBatch, ids };
}

/** Shelves of one batch may refer to each other, also to later ones. */
function linked(choose: Choose, entity: string, bodies: readonly Body[]): readonly Body[] {
  if (entity !== 'l_Shelf' || bodies.length < 2) return bodies;
  return bodies.map((body) => {
    const { id } = pick(choose, bodies);
    return id !== undefined && chance(choose, 40) ? { ...body, next: { id } } : body;
  });
}

/** Usually the id of a stored row; sometimes that of a deleted row, of another entity, or an unknown id. */
function existingId(choose: Choose, model: Model, world: World, entity: string): string {
  const rows = rowsOf(model, world, entity);
  const live = rows.filter((row) => !row.isDeleted);
  const [from, others] = chance(choose, 93) ? [live, rows] : [rows, [...world.values()]];
  if (from.length > 0) return pick(choose, from).id;
  return others.length > 0 && chance(choose, 50) ? pick(choose, others).id : newId();
}

function takenOrNewId(choose: Choose, model: Model, world: World, entity: string): string {
  const rows = rowsOf(model, world, entity);
  return rows.length > 0 && chance(choose, 3) ? pick(choose, rows).id : newId();
}

function generateBody(
  choose: Choose,
  model: Model,
  world: World,
  named: string,
  stored: Row | undefined,
  depth: number,
): Body {
  const concrete =
    stored?.entity ??
    pick(
      choose,
      familyOf(model, named).filter((name) => !entityOf(model, name).abstract),
    );
  const entity = entityOf(model, concrete);
  const body: Record<string, unknown> = {};
  if (concrete !== named ? chance(choose, 97) : chance(choose, 30)) body['_entityName'] = concrete;
  if (stored === undefined && (chance(choose, 60) || depth > 0))
    body['id'] = takenOrNewId(choose, model, world, concrete);
  if (stored !== undefined && chance(choose, 25))
    body['version'] = chance(choose, 75) ? stored.version : stored.version + 1;
  for (const attribute of entity.attributes.values()) {
    if (attribute.name === 'id' || Object.values(entity.system).includes(attribute.name) || !attribute.persistent)
      continue;
    const isNeeded = stored === undefined && (attribute.mandatory || attribute.name === 'colour');
    const isAssociation = attribute.kind === 'reference' && !attribute.owning && !attribute.composition;
    if (!chance(choose, isNeeded ? 97 : stored === undefined || isAssociation ? 40 : 25)) continue;
    const value = generateValue(choose, model, world, attribute, stored, depth);
    if (value !== undefined) body[attribute.name] = value;
  }
  if (chance(choose, 5)) body['noAttribute'] = { any: 'thing' };
  if (chance(choose, 1))
    body[
      pick(
        choose,
        [...entity.attributes.keys()].filter((name) => name !== 'id' && name !== 'version'),
      )
    ] = [{ wrong: 'kind' }, 5];
  return body;
}

function generateValue(
  choose: Choose,
  model: Model,
  world: World,
  attribute: Attribute,
  stored: Row | undefined,
  depth: number,
): unknown {
  switch (attribute.kind) {
    case 'embedded': {
      const inner = [...entityOf(model, attribute.target).attributes.values()].filter(() => chance(choose, 60));
      return Object.fromEntries(inner.map((one) => [one.name, generateScalar(choose, one)]));
    }
    case 'elements':
      return chance(choose, 10)
        ? null
        : times(between(choose, 0, 3), () => (chance(choose, 3) ? 'too long' : pick(choose, TEXTS)));
    case 'reference':
      return generateReference(choose, model, world, attribute, stored, depth);
    default:
      return generateScalar(choose, attribute);
  }
}

function generateScalar(choose: Choose, attribute: Attribute): unknown {
  if (chance(choose, attribute.mandatory ? 1 : 12)) return null;
  if (attribute.kind !== 'datatype') return null;
  switch (attribute.datatype) {
    case 'boolean':
      return chance(choose, 30);
    case 'int':
      return chance(choose, 3) ? pick(choose, [-1, 0, 101]) : between(choose, 1, 4);
    case 'decimal':
      return chance(choose, 3) ? pick(choose, [-1, 1.005]) : chance(choose, 15) ? 1000 : between(choose, 0, 4) + 0.5;
    case 'localDate':
      return `2026-01-0${between(choose, 1, 9)}`;
    default:
      return chance(choose, 1) ? 'x'.repeat(30) : pick(choose, TEXTS);
  }
}

function generateReference(
  choose: Choose,
  model: Model,
  world: World,
  attribute: ReferenceAttribute,
  stored: Row | undefined,
  depth: number,
): unknown {
  const reference = (): unknown => {
    if (chance(choose, 1)) return {};
    const rows = rowsOf(model, world, attribute.target);
    const live = rows.filter((row) => !row.isDeleted);
    const from = chance(choose, 90) ? live : rows;
    const id = from.length > 0 && chance(choose, 98) ? pick(choose, from).id : newId();
    return { id, ignored: 1 };
  };
  if (attribute.composition) {
    if (depth === 0) return undefined;
    if (isMany(attribute)) return generateChildren(choose, model, world, attribute, stored, depth);
    if (chance(choose, 25)) return null;
    const child = world.get(String(stored?.values[attribute.name] ?? ''));
    return generateBody(choose, model, world, attribute.target, child, depth - 1);
  }
  if (isMany(attribute)) {
    const members = times(between(choose, 0, 3), reference);
    return chance(choose, 5) ? null : members;
  }
  if (attribute.mandatory ? chance(choose, 1) : chance(choose, 20)) return null;
  // An instance cannot be created without its mandatory references.
  return reference();
}

/** Some stored children and some new ones; sometimes a deleted one, or one of another parent. */
function generateChildren(
  choose: Choose,
  model: Model,
  world: World,
  attribute: ReferenceAttribute,
  stored: Row | undefined,
  depth: number,
): readonly Body[] {
  const all = rowsOf(model, world, attribute.target);
  const own = all.filter((row) => stored !== undefined && row.values[attribute.inverse ?? ''] === stored.id);
  const known = own.filter((row) => chance(choose, row.isDeleted ? 30 : 65));
  const foreign = all.length > 0 && chance(choose, 2) ? [pick(choose, all)] : [];
  const changed = [...known, ...foreign].map((row) => ({
    ...generateBody(choose, model, world, attribute.target, row, depth - 1),
    id: row.id,
  }));
  return [
    ...changed,
    ...times(between(choose, 0, 2), () => generateBody(choose, model, world, attribute.target, undefined, depth - 1)),
  ];
}
