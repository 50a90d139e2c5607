import {
  type Attribute,
  type DatatypeAttribute,
  type Display,
  type Entity,
  type EnumAttribute,
  entityOf,
  enumerationOf,
  familyTreeOf,
  type InstanceName,
  isLocal,
  lineageOf,
  type Model,
} from '@lintel/metadata';
import { keyPartsOf } from '../../ids/entity-id.ts';
import { datatypeOf } from '../../literals/literal-type.ts';
import type { Visibility } from '../../secure/visibility.ts';
import { reach } from '../joins/plan-joins.ts';
import type { Column, ColumnFormat, NamedColumn, NamePlan, NameRecipe, TextFormat, TextPlan } from '../read-plan.ts';
import { type Row, type RowSource, rejoinByKey } from '../row-source.ts';
import { displayFormat } from './display-format.ts';

/** The expression of an instance name, and what the shape stage still has to do with its value. */
export interface PlannedName {
  readonly name: NamePlan;
  readonly recipe: NameRecipe | undefined;
}

interface Context {
  readonly model: Model;
  readonly visibility: Visibility;
  readonly display: Display | undefined;
}

const EMPTY: PlannedName = { name: { kind: 'text-constant', text: '' }, recipe: undefined };
const ABSENT: PlannedName = { name: { kind: 'text-constant', text: null }, recipe: undefined };

const isText = (name: NamePlan): name is TextPlan => name.kind.startsWith('text-');

/**
 * Plans the instance name of a row (contract/instances.md#instance-name). It is made of what the caller may
 * view; hidden parts are empty (contract/decisions.md#29). Where descendants have a name of their own, the concrete
 * entity's counts.
 *
 * @param above the entities whose names led here, so that the recursion ends if names refer to each other in a cycle
 */
export function planName(row: Row, context: Context, above: readonly Entity[] = []): PlannedName {
  const { entity } = row;
  const discriminator = row.discriminator();
  const other = familyTreeOf(context.model, entity).filter(
    (member) => member !== entity && member.instanceName !== entity.instanceName,
  );
  const own = planOwnName(row, context, above);
  if (discriminator === undefined || other.length === 0) return own;
  const cases = other.map((member) => {
    const source = rejoinByKey(row, member);
    return {
      names: namesOfName(context, member),
      ...ofRow({ ...planOwnName(source, context, above), orEmpty: true }, source),
    };
  });
  const all = [own, ...cases];
  const tagged = !all.every(({ name }) => isText(name));
  return {
    name: {
      kind: 'name-by-entity',
      discriminator,
      cases: cases.map(({ names, name }) => ({ names, name })),
      otherwise: own.name,
      tagged,
    },
    recipe: tagged ? { kind: 'by-entity', recipes: all.map(({ recipe }) => recipe) } : undefined,
  };
}

/** The entity and those of its descendants that have its name's definition. */
const namesOfName = ({ model }: Context, entity: Entity): readonly string[] =>
  familyTreeOf(model, entity)
    .filter((member) => member.instanceName === entity.instanceName)
    .map((member) => member.name);

function planOwnName(row: Row, context: Context, above: readonly Entity[]): PlannedName {
  const definition = row.entity.instanceName;
  if (definition === undefined) return planTechnicalName(row);
  return definition.kind === 'parts'
    ? planParts(definition, row, context, above)
    : planMethod(definition, row, context, above);
}

/** `<entityName>-<id>` (contract/decisions.md#28); without a key the name of the entity. */
function planTechnicalName(row: Row): PlannedName {
  const discriminator = row.discriminator();
  const entityName: TextPlan =
    discriminator === undefined
      ? { kind: 'text-constant', text: row.entity.name }
      : { kind: 'text-column', column: discriminator, format: { kind: 'text' }, orEmpty: true };
  const parts = row.entity.key === undefined ? [] : keyPartsOf(row.context.model, row.entity);
  const columns = parts.length === 0 ? [] : row.keyColumns();
  const key = columns.flatMap((column, at): TextPlan[] => {
    const of = parts[at]?.type;
    const format: TextFormat = of?.kind === 'datatype' ? { kind: 'text', of } : { kind: 'text' };
    return [
      { kind: 'text-constant', text: '-' },
      { kind: 'text-column', column, format, orEmpty: true },
    ];
  });
  return { name: { kind: 'text-concat', parts: [entityName, ...key] }, recipe: undefined };
}

function planParts(
  definition: Extract<InstanceName, { kind: 'parts' }>,
  row: Row,
  context: Context,
  above: readonly Entity[],
): PlannedName {
  const parts = definition.parts.map(
    (part): PlannedName =>
      'text' in part
        ? { name: { kind: 'text-constant', text: part.text }, recipe: undefined }
        : planPart(row.entity.attributes.get(part.attribute), row, context, above, true),
  );
  const names = parts.map(({ name }) => name);
  if (names.every(isText))
    return {
      name: names.length === 1 && names[0] !== undefined ? names[0] : { kind: 'text-concat', parts: names },
      recipe: undefined,
    };
  return {
    name: { kind: 'name-items', items: names },
    recipe: { kind: 'parts', recipes: parts.map(({ recipe }) => recipe) },
  };
}

function planMethod(
  definition: Extract<InstanceName, { kind: 'method' }>,
  row: Row,
  context: Context,
  above: readonly Entity[],
): PlannedName {
  const parts = definition.dependsOn.map((name) =>
    planPart(row.entity.attributes.get(name), row, context, above, false),
  );
  return {
    name: { kind: 'name-items', items: parts.map(({ name }) => name) },
    recipe: {
      kind: 'method',
      format: definition.format,
      names: definition.dependsOn,
      recipes: parts.map(({ recipe }) => recipe),
    },
  };
}

const storedFormat = (model: Model, attribute: DatatypeAttribute | EnumAttribute): ColumnFormat =>
  attribute.kind === 'enum'
    ? { kind: 'enum', enumeration: enumerationOf(model, attribute.enumName) }
    : datatypeOf(attribute);

/** A computed attribute of what the caller may view: the model lets it depend on stored single values alone. */
function planComputed(attribute: Attribute, row: Row, { model, visibility }: Context): PlannedName | undefined {
  if (attribute.kind !== 'datatype' || attribute.compute === undefined) return undefined;
  const values = attribute.dependsOn.flatMap((name): NamedColumn[] => {
    const needed = row.entity.attributes.get(name);
    if (needed === undefined || !needed.persistent || !isLocal(needed)) return [];
    const isVisible = !needed.secret && visibility.mayView(row.entity, needed);
    return [{ name, column: isVisible ? row.columns(needed, '')[0] : undefined, format: storedFormat(model, needed) }];
  });
  return { name: { kind: 'name-values', values }, recipe: { kind: 'computed', compute: attribute.compute, values } };
}

/**
 * @param isVisible whether it stands in the name as it is: as the locale writes it, an absent value as `''`.
 *   Code that makes a name gets exact values and null
 */
function planPart(
  attribute: Attribute | undefined,
  row: Row,
  context: Context,
  above: readonly Entity[],
  isVisible: boolean,
): PlannedName {
  const { visibility, model } = context;
  const none = isVisible ? EMPTY : ABSENT;
  if (attribute === undefined || attribute.secret || !visibility.mayView(row.entity, attribute)) return none;
  if (!attribute.persistent) return planComputed(attribute, row, context) ?? none;
  if (isLocal(attribute)) {
    const [column] = row.columns(attribute, '');
    if (column === undefined) return none;
    const format = formatOf(attribute, context, isVisible);
    return { name: { kind: 'text-column', column, format, orEmpty: isVisible }, recipe: undefined };
  }
  if (attribute.kind !== 'reference' || attribute.cardinality === 'ONE_TO_MANY') return none;
  const target = entityOf(model, attribute.target);
  // Whether a predicate hides the target is known only later: its name is not included here.
  if (
    attribute.cardinality === 'MANY_TO_MANY' ||
    leadsBack(model, above, target) ||
    visibility.predicatesOf(target).length > 0
  )
    return none;
  const { source } = reach(row, attribute, '', visibility);
  return ofRow({ ...planName(source, context, [...above, row.entity]), orEmpty: isVisible }, source);
}

/** The name in a row that is selected. */
const ofRow = (
  { name, recipe, orEmpty }: PlannedName & { readonly orEmpty: boolean },
  { rows }: RowSource,
): PlannedName => ({
  name: isText(name) ? { kind: 'text-select', ...rows, text: name, orEmpty } : { kind: 'name-select', ...rows, name },
  recipe,
});

/** The instance name of the row, or the text of the enum in the column; null without a row, and without a value. */
export function planCaption(of: RowSource | EnumAttribute, column: Column, context: Context): PlannedName {
  if (!('kind' in of)) return ofRow({ ...planName(of, context), orEmpty: false }, of);
  const format = formatOf(of, context);
  return { name: { kind: 'text-column', column, format, orEmpty: false }, recipe: undefined };
}

/** Enums are shown by their caption in either case: code has no access to the locale. */
function formatOf(
  attribute: DatatypeAttribute | EnumAttribute,
  { model, display }: Context,
  isVisible = true,
): TextFormat {
  const format =
    display !== undefined && (isVisible || attribute.kind === 'enum')
      ? displayFormat(attribute, model, display)
      : undefined;
  return format ?? storedFormat(model, attribute);
}

/**
 * Whether the name of an instance of the target may already be in progress. A descendant's name may
 * lead back to its ancestor, whose instances have the descendant's name.
 */
const leadsBack = (model: Model, above: readonly Entity[], target: Entity): boolean =>
  above.some((entity) => lineageOf(model, entity).includes(target) || lineageOf(model, target).includes(entity));
