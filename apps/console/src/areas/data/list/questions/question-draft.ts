import type { Aggregate } from '@lintel/client';
import { isToMany, NUMBER_TYPES, type PathModel, resolvePath, targetOf } from '@lintel/react';
import type { Question } from '@lintel/react/charts';
import { valueKindOf } from '../../values/value-kind.ts';

/** Functions that the form offers, the usual one first. */
export const FUNCTIONS = ['count', 'sum', 'avg', 'min', 'max', 'countDistinct'] as const;
/** Units of dates that the form offers. */
export const UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;

type FunctionName = (typeof FUNCTIONS)[number];
type Unit = (typeof UNITS)[number];
type Attribute = Parameters<typeof isToMany>[0] & { readonly persistent: boolean; readonly writeOnly?: boolean };

/** A question while it is edited: one group and one aggregate. */
export interface QuestionDraft {
  /** Path of the group; empty: all instances are one. */
  readonly group: string;
  /** Empty: the values themselves. */
  readonly unit: Unit | '';
  readonly aggregate: FunctionName;
  /** Path of the aggregated attribute; not used by `count`. */
  readonly path: string;
  readonly kind: 'bar' | 'line' | 'pie' | 'number' | 'table';
}

/** Groups of a question that is asked by the form: more cannot be read as a chart. */
export const MAX_GROUPS = 100;

/** The draft of a question, of which the form shows the first group and the first aggregate. */
export function draftOfQuestion({ groupBy = [], aggregates = {}, chart }: Question): QuestionDraft {
  const [first] = groupBy;
  const { attribute, by } = typeof first === 'object' ? first : { attribute: first ?? '', by: undefined };
  const [aggregate] = Object.values(aggregates);
  const [name, path] = functionOf(aggregate);
  const known = FUNCTIONS.find((each) => each === name) ?? 'count';
  const unit = UNITS.find((each) => each === by) ?? '';
  return {
    group: attribute,
    unit,
    aggregate: known,
    path: known === 'count' ? '' : path,
    kind: chart?.kind ?? 'table',
  };
}

/** The function of an aggregate, and the path of its attribute. */
export function functionOf(aggregate: Aggregate | undefined): readonly [name: string, path: string] {
  const [name = 'count', path = '*'] = Object.entries(aggregate ?? {}).find(([key]) => key !== 'at') ?? [];
  return [name, String(path)];
}

/** The question of a draft; undefined until it is complete. */
export function questionOf(model: PathModel, entityName: string, draft: QuestionDraft): Question | undefined {
  const { group, unit, aggregate, path, kind } = draft;
  const isGrouped = group !== '';
  const grouped = isGrouped ? resolvePath(model, entityName, group)?.attribute : undefined;
  if (isGrouped && (grouped === undefined || !isGroup(grouped))) return undefined;
  const target = resolvePath(model, entityName, path)?.attribute;
  if (aggregate !== 'count' && (target === undefined || !fits(aggregate, target))) return undefined;
  const by = grouped !== undefined && isDate(grouped) && unit !== '' ? { by: unit } : undefined;
  const caption = grouped !== undefined && valueKindOf(grouped) === 'reference' ? { captionAs: 'name' } : undefined;
  const isPlain = by === undefined && caption === undefined;
  const shown = isGrouped ? kind : 'number';
  return {
    ...(isGrouped && { groupBy: [isPlain ? group : { attribute: group, ...by, ...caption }], limit: MAX_GROUPS }),
    aggregates: { value: { [aggregate]: aggregate === 'count' ? '*' : path } as Aggregate },
    ...(shown !== 'table' && { chart: { kind: shown } }),
  };
}

const OTHERS = ['embedded', 'other'];

const isSingle = (attribute: Attribute): boolean =>
  !isToMany(attribute) && attribute.persistent && attribute.writeOnly !== true;

/** Whether the values of an attribute can be groups. */
export const isGroup = (attribute: Attribute): boolean =>
  isSingle(attribute) && !OTHERS.includes(valueKindOf(attribute)) && attribute.type !== 'json';

/** Whether a unit of time can be chosen for an attribute. */
export const isDate = (attribute: Attribute): boolean =>
  ['date', 'dateTime', 'offsetDateTime'].includes(valueKindOf(attribute));

/** Whether a function takes the values of an attribute. */
export function fits(name: FunctionName, attribute: Attribute): boolean {
  if (name === 'sum' || name === 'avg') return isSingle(attribute) && NUMBER_TYPES.has(attribute.type);
  const others = ['boolean', 'enum', 'reference'];
  return isGroup(attribute) && (name === 'countDistinct' || !others.includes(valueKindOf(attribute)));
}

/** Whether a path may lead through an attribute, or to it if the test holds. */
export const leadsTo =
  (model: PathModel, test: (attribute: Attribute) => boolean) =>
  (attribute: Attribute): boolean =>
    test(attribute) || (isSingle(attribute) && targetOf(model, attribute) !== undefined);
