import { suggestion } from '@lintel/errors';
import { type Attribute, type Entity, familyTreeOf, isToMany, type Model } from '@lintel/metadata';
import {
  type ExactJson,
  type ExactObject,
  isExactObject,
  literalTypeOf,
  parseLiteral,
  readExactJson,
} from '@lintel/query';

/** Members of an instance in its JSON form that are no attributes. */
const OTHER_MEMBERS: ReadonlySet<string> = new Set(['id', '_entityName', '_instanceName']);

/** What is wrong in an instance in the JSON form of the entity API: one sentence for each unknown or wrong member. */
export const instanceProblems = (
  model: Model,
  entity: Entity,
  values: Readonly<Record<string, unknown>>,
): readonly string[] => {
  const json = readExactJson(JSON.stringify(values));
  return isExactObject(json) ? objectProblems(model, entity, json, '') : [];
};

function objectProblems(model: Model, expected: Entity, json: ExactObject, path: string): readonly string[] {
  const named = json['_entityName'];
  const entity =
    typeof named === 'string' ? familyTreeOf(model, expected).find(({ name }) => name === named) : expected;
  if (entity === undefined)
    return [`${path}_entityName: expected ${expected.name} or an entity that extends it, found ${shown(named)}`];
  return Object.entries(json).flatMap(([name, value]) => {
    const attribute = entity.attributes.get(name);
    if (attribute !== undefined) return valueProblems(model, attribute, value, `${path}${name}`);
    if (name === 'id') return keyProblems(model, entity, value, `${path}id`);
    // Members with + are dynamic attributes, which the database defines.
    if (OTHER_MEMBERS.has(name) || name.startsWith('+')) return [];
    return [`${path}${name}: ${entity.name} has no attribute ${name}${suggestion(name, entity.attributes.keys())}`];
  });
}

function keyProblems(model: Model, entity: Entity, value: ExactJson, path: string): readonly string[] {
  const key = entity.attributes.get(entity.key?.attribute ?? '');
  return key === undefined || value === null ? [] : valueProblems(model, key, value, path);
}

function valueProblems(model: Model, attribute: Attribute, value: ExactJson, path: string): readonly string[] {
  if (value === null) return [];
  switch (attribute.kind) {
    case 'datatype':
    case 'enum':
      return isOfType(model, attribute, value) ? [] : [wrong(path, typeOf(model, attribute), value, attribute.secret)];
    case 'elements':
      if (!Array.isArray(value)) return [wrong(path, `an array of ${attribute.datatype}`, value)];
      return value.flatMap((item: ExactJson, at) =>
        isOfType(model, attribute, item) ? [] : [wrong(`${path}[${at}]`, attribute.datatype, item)],
      );
    case 'embedded': {
      const target = model.entities.get(attribute.target);
      if (!isExactObject(value)) return [wrong(path, `an object with the attributes of ${attribute.target}`, value)];
      return target === undefined ? [] : objectProblems(model, target, value, `${path}.`);
    }
    case 'reference': {
      const target = model.entities.get(attribute.target);
      const one = attribute.composition ? `an object of ${attribute.target}` : `{ "id": … } of ${attribute.target}`;
      if (isToMany(attribute) && !Array.isArray(value)) return [wrong(path, `an array of ${one}`, value)];
      const items = (isToMany(attribute) ? value : [value]) as readonly ExactJson[];
      return items.flatMap((item, at) => {
        const here = isToMany(attribute) ? `${path}[${at}]` : path;
        if (!isExactObject(item)) return [wrong(here, one, item)];
        if (target === undefined) return [];
        return attribute.composition
          ? objectProblems(model, target, item, `${here}.`)
          : keyProblems(model, target, item['id'] ?? null, `${here}.id`);
      });
    }
    default:
      return attribute satisfies never;
  }
}

function isOfType(model: Model, attribute: Attribute, value: ExactJson): boolean {
  // The error of an unknown enum is one of the model.
  if (attribute.kind === 'enum' && !model.enums.has(attribute.enumName)) return true;
  const type = literalTypeOf(model, attribute);
  if (type === undefined) return true;
  const isBlank = typeof value === 'string' && value.trim() === '';
  return isBlank || parseLiteral(type, value) !== undefined;
}

function typeOf(model: Model, attribute: Extract<Attribute, { kind: 'datatype' | 'enum' }>): string {
  if (attribute.kind === 'datatype') return attribute.datatype;
  const names = model.enums.get(attribute.enumName)?.values.map(({ name }) => name) ?? [];
  return `${attribute.enumName} (${names.join(', ')})`;
}

const wrong = (path: string, expected: string, value: ExactJson, isSecret = false): string =>
  `${path}: expected ${expected}, found ${isSecret ? 'a secret that is not shown' : shown(value)}`;

const shown = (value: ExactJson | undefined): string => JSON.stringify(value) ?? 'nothing';
