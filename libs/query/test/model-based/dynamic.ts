import {
  type Attribute,
  DYNAMIC_ATTRIBUTE_TYPES,
  DYNAMIC_VALUE_COLUMNS,
  DYNAMIC_VALUE_TABLE,
  type DynamicAttribute,
  dynamicAttributesOf,
  dynamicDatatypeOf,
  dynamicMemberOf,
  dynamicOwnerProblem,
  dynamicTargetProblem,
  dynamicValueColumnOf,
  entityOf,
  type Model,
  quoteTable,
  withDynamicAttributes,
} from '@lintel/metadata';
import { between, type Choose, chance, pick, some, times } from './choose.ts';
import { generateScalar } from './generate-scalar.ts';
import type { Scalar, ScalarType } from './scalars.ts';
import { type Instance, isInstance, rowsOf, type World } from './world.ts';

/** Values of one dynamic attribute: those of a list in their order, otherwise one. */
export type DynamicValues = ReadonlyMap<Instance, readonly (Scalar | Instance)[]>;

/** The model with a few attributes of every type, on entities that can have them. */
export function addDynamicAttributes(choose: Choose, model: Model): Model {
  const names = [...model.entities.keys()];
  const owners = names.filter((name) => dynamicOwnerProblem(model, name) === undefined);
  const targets = names.filter((name) => dynamicTargetProblem(model, name) === undefined);
  const attributes = some(choose, owners, 40).flatMap((entity) =>
    times(between(choose, 1, 3), (at): DynamicAttribute => {
      const type = pick(choose, DYNAMIC_ATTRIBUTE_TYPES);
      // Codes are used again in descendants, where they hide those of the ancestor.
      const code = pick(choose, ['one', 'two', `of${entity}`, `${at}`]);
      return {
        id: `b0000000-0000-4000-8000-${String(100 * owners.indexOf(entity) + at).padStart(12, '0')}`,
        ...{ code, entity, category: 'c', name: code, description: undefined, type, collection: chance(choose, 40) },
        ...{ required: false, target: type === 'ENTITY' ? pick(choose, targets) : undefined, values: [] },
        ...{ localizedNames: {}, localizedDescriptions: {} },
      };
    }),
  );
  const unique = attributes.filter(
    ({ entity, code }, at) => attributes.findIndex((other) => other.entity === entity && other.code === code) === at,
  );
  return withDynamicAttributes(model, unique);
}

const typeOf = ({ type }: DynamicAttribute): ScalarType | undefined => {
  const datatype = dynamicDatatypeOf(type);
  return datatype === undefined ? undefined : { kind: 'datatype', datatype };
};

const allOf = (model: Model): readonly DynamicAttribute[] => [...model.dynamicAttributes.values()].flat();

/** Values for some of the instances; references lead to deleted ones, too. */
export function generateDynamicValues(choose: Choose, world: World): ReadonlyMap<string, DynamicValues> {
  const { model } = world;
  const drawValue = (attribute: DynamicAttribute): readonly (Scalar | Instance)[] => {
    const type = typeOf(attribute);
    if (type !== undefined) return [generateScalar(choose, WIDEST, type)];
    const targets = rowsOf(world, entityOf(model, attribute.target ?? ''));
    return targets.length === 0 ? [] : [pick(choose, targets)];
  };
  return new Map(
    allOf(model).map((attribute) => {
      const count = (): number => (attribute.collection ? between(choose, 0, 3) : 1);
      const holders = some(choose, rowsOf(world, entityOf(model, attribute.entity)), 70);
      return [attribute.id, new Map(holders.map((row) => [row, times(count(), () => drawValue(attribute)).flat()]))];
    }),
  );
}

/** No length and no scale. */
const WIDEST = { kind: 'datatype', datatype: 'decimal' } as Attribute;

const quoted = (text: string): string => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The statements that store the values. */
export const storeDynamicValues = ({ model, dynamic }: World): string =>
  allOf(model)
    .flatMap((attribute) =>
      [...(dynamic.get(attribute.id) ?? [])].flatMap(([holder, values]) =>
        values.map((value, position) => {
          const { attribute: id, owner, position: positionColumn } = DYNAMIC_VALUE_COLUMNS;
          const stored = isInstance(value) ? String(value.key[0]) : Object.is(value, -0) ? '-0' : String(value);
          const column = dynamicValueColumnOf(model, attribute).name;
          return `INSERT INTO ${quoteTable(DYNAMIC_VALUE_TABLE)} (${id}, ${owner}, ${positionColumn}, ${column})
            VALUES ('${attribute.id}', ${quoted(String(holder.key[0]))}, ${position}, ${quoted(stored)});\n`;
        }),
      ),
    )
    .join('');

/** A dynamic attribute of an instance with what it holds. */
export interface HeldDynamic {
  readonly member: string;
  readonly attribute: DynamicAttribute;
  readonly type: ScalarType | undefined;
  readonly values: readonly (Scalar | Instance)[];
}

/**
 * The dynamic attributes of an instance that is seen as the entity: inherited ones first
 * (contract/dynamic-attributes.md#dynamic-attributes).
 */
export const dynamicOf = ({ model, dynamic }: World, seenAs: string, instance: Instance): readonly HeldDynamic[] =>
  dynamicAttributesOf(model, entityOf(model, seenAs)).map((attribute) => ({
    member: dynamicMemberOf(attribute),
    attribute,
    type: typeOf(attribute),
    values: dynamic.get(attribute.id)?.get(instance) ?? [],
  }));
