import { type ElementsAttribute, embeddedPrefix, isArray, type ReferenceAttribute } from '@lintel/metadata';
import type { BoundPath } from '../../resolve/bound-condition.ts';
import type { AttributeAccess, Variable } from '../../resolve/language/bound-expression.ts';
import { joinOne, reach, reachElements } from '../joins/plan-joins.ts';
import type { Column, Rows } from '../read-plan.ts';
import { type RowSource, rejoinByKey } from '../row-source.ts';
import type { PlanLevel } from './plan-level.ts';

/** The row that has an attribute, and the prefix of the embedded attributes above it. */
export interface AttributeRow {
  readonly source: RowSource;
  readonly prefix: string;
}

/** Follows the steps of a path; to-one references are left joins. */
export function followSteps(from: RowSource, path: BoundPath, level: PlanLevel): AttributeRow {
  let source = from;
  let prefix = '';
  for (const { attribute } of path.steps) {
    if (attribute.kind === 'embedded') {
      prefix = embeddedPrefix(attribute, prefix);
    } else {
      source = joinOne(source, attribute, prefix, level.visibility);
      prefix = '';
    }
  }
  return { source, prefix };
}

/** The row at which the access begins: that of the variable, or that of the descendant as which it is treated. */
function startOf({ variable, treated }: AttributeAccess, level: PlanLevel): RowSource {
  const source = level.sourceOf(variable);
  if (treated === undefined) return source;
  return asDescendant(
    treated.path === undefined ? source : targetRow(source, treated.path, level),
    treated.entity.name,
  );
}

function targetRow(from: RowSource, path: BoundPath, level: PlanLevel): RowSource {
  const { source, prefix } = followSteps(from, path, level);
  if (path.leaf.kind !== 'reference') throw new Error(`${path.text} is no reference`);
  return joinOne(source, path.leaf.attribute, prefix, level.visibility);
}

/** The row of a descendant's own table; absent for instances that are none of its. */
function asDescendant(source: RowSource, entityName: string): RowSource {
  if (source.entity.name === entityName) return source;
  const name = `as ${entityName}`;
  const present = source.joined.get(name);
  if (present !== undefined) return present;
  const entity = source.model.entities.get(entityName);
  if (entity === undefined) throw new Error(`The model has no entity ${entityName}`);
  const row = rejoinByKey(source, entity);
  source.join('left', row.rows);
  source.joined.set(name, row);
  return row;
}

/** The columns of an attribute: one for a value, those of the key for a reference. */
export function attributeColumns(access: AttributeAccess, level: PlanLevel): readonly Column[] {
  const { path, variable } = access;
  const columns = columnsAt(startOf(access, level), path, level);
  level.note(variable, columns);
  return columns;
}

function columnsAt(start: RowSource, path: BoundPath, level: PlanLevel): readonly Column[] {
  const { leaf } = path;
  const key = foreignKey(start, path, level);
  if (key !== undefined) return key;
  const { source, prefix } = followSteps(start, path, level);
  switch (leaf.kind) {
    case 'value': {
      const columns = source.columns(leaf.attribute, prefix);
      const isTextForm = leaf.attribute.kind === 'datatype' && leaf.attribute.comparedAs !== undefined;
      return isTextForm ? columns.map((column) => ({ ...column, readAs: 'text' })) : columns;
    }
    case 'reference': {
      // The foreign key would reveal targets that the caller may not see.
      const isDirect = leaf.attribute.owning && level.visibility.rowsOf(leaf.target) === undefined;
      return isDirect
        ? source.columns(leaf.attribute, prefix)
        : joinOne(source, leaf.attribute, prefix, level.visibility).keyColumns();
    }
    default:
      throw new Error(`${path.text} has no value`);
  }
}

/** `order.customer.id` is a column of the order, where all customers may be seen. */
function foreignKey(start: RowSource, path: BoundPath, level: PlanLevel): readonly Column[] | undefined {
  const last = path.steps.at(-1);
  if (last?.attribute.kind !== 'reference' || path.leaf.kind !== 'value') return undefined;
  const isKey = last.target.key?.attribute === path.leaf.attribute.name;
  if (!isKey || !last.attribute.owning || level.visibility.rowsOf(last.target) !== undefined) return undefined;
  const { source, prefix } = followSteps(start, { ...path, steps: path.steps.slice(0, -1) }, level);
  return source.columns(last.attribute, prefix);
}

/** The row at the end of a path to one instance. */
export function instanceRow(variable: Variable, path: BoundPath | undefined, level: PlanLevel): RowSource {
  const source = level.sourceOf(variable);
  return path === undefined ? source : targetRow(source, path, level);
}

/** The members of a collection of references, as a table and the conditions of its rows. */
export function reachMembers(
  variable: Variable,
  path: BoundPath,
  attribute: ReferenceAttribute,
  level: PlanLevel,
): Rows & { readonly key: readonly Column[] } {
  const { source, prefix } = followSteps(level.sourceOf(variable), path, level);
  level.note(variable, attribute.owning ? source.columns(attribute, prefix) : source.keyColumns());
  const { source: member } = reach(source, attribute, prefix, level.visibility);
  return { ...member.rows, key: member.keyColumns() };
}

/** The values of an element collection. */
export function reachValues(
  variable: Variable,
  path: BoundPath,
  attribute: ElementsAttribute,
  level: PlanLevel,
): Rows & { readonly value: Column } {
  const { source } = followSteps(level.sourceOf(variable), path, level);
  level.note(variable, isArray(attribute) ? source.columns(attribute, '') : source.keyColumns());
  return reachElements(source, attribute);
}
