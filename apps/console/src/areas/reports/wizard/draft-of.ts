import type { AttributeInfo } from '@lintel/client';
import { type PathModel, resolvePath } from '@lintel/react';
import { operatorsOf } from '../../data/list/filter/operators.ts';
import { valueKindOf } from '../../data/values/value-kind.ts';

/** An attribute that a simple report can show. */
export interface DraftPath {
  readonly value: string;
  readonly label: string;
  readonly attribute: AttributeInfo;
}

const HIDDEN = ['json', 'byteArray'];
/** References on the way to an attribute. */
const MAX_STEPS = 2;

/** The attributes of an entity, also of what it refers to, that the user may read, by their captions. */
export function draftPaths(model: PathModel, entityName: string): readonly DraftPath[] {
  const below = (owner: string, prefix: string, steps: number): readonly DraftPath[] =>
    (model.entities.get(owner)?.properties ?? []).flatMap(({ name }) => {
      const path = `${prefix}${name}`;
      const found = resolvePath(model, entityName, path);
      if (found === undefined || found.isMany || !found.isStored || HIDDEN.includes(found.attribute.type)) return [];
      const { attribute, caption: label } = found;
      if (['DATATYPE', 'ENUM'].includes(attribute.attributeType)) return [{ value: path, label, attribute }];
      return steps === 0 ? [] : below(attribute.type, `${path}.`, steps - 1);
    });
  return below(entityName, '', MAX_STEPS);
}

/** What the user has chosen: paths of attributes. */
export interface DraftChoice {
  readonly title: string;
  readonly attributes: readonly string[];
  readonly groups: readonly string[];
  readonly sums: readonly string[];
  /** A run is asked for their values. */
  readonly asked: readonly string[];
  /** Operators of asked attributes; of others the usual ones. */
  readonly operators: Readonly<Record<string, readonly string[]>>;
  readonly template: 'XLSX' | 'DOCX';
}

/** Operators that simple reports do not have. */
const OTHERS = ['in', 'notIn', 'doesNotContain'];

/** The operators of a condition, as in the filters of the data area. */
export const draftOperators = ({ attribute }: DraftPath): readonly string[] =>
  operatorsOf(attribute).filter((operator) => !OTHERS.includes(operator));

/** A text is searched, numbers and dates have two limits, other values are equal. */
export function usualOperators({ attribute }: DraftPath): readonly string[] {
  const kind = valueKindOf(attribute);
  if (['number', 'date', 'dateTime', 'time'].includes(kind)) return ['>=', '<='];
  return [kind === 'text' ? 'contains' : '='];
}

/** The draft of a choice. */
export function draftOf(
  entity: string,
  { title, groups, template, ...choice }: DraftChoice,
  paths: readonly DraftPath[],
) {
  const attributes = choice.attributes.filter((path) => !groups.includes(path));
  const sums = choice.sums.filter((path) => attributes.includes(path));
  const filter = paths
    .filter(({ value }) => choice.asked.includes(value))
    .flatMap((path) => {
      const operators = choice.operators[path.value] ?? usualOperators(path);
      return operators.map((operator) => ({ attribute: path.value, operator }));
    });
  return {
    title,
    entity,
    attributes,
    groups,
    filter,
    template,
    totals: sums.map((path) => ({ attribute: path, function: 'sum' })),
  };
}
