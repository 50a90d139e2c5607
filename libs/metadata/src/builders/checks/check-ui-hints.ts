import { suggestion } from '@lintel/errors';
import type { Attribute } from '../../entities/attribute.ts';
import type { Entity } from '../../entities/entity.ts';
import { type EntityUi, WIDGETS, type Widget } from '../../entities/ui-hints.ts';
import type { FetchPlan } from '../../fetch-plans/fetch-plan.ts';
import { BUILT_IN_FETCH_PLANS } from '../../fetch-plans/fetch-plan.ts';

/**
 * Hints for user interfaces that the model does not fit: one sentence each.
 *
 * @param fetchPlans undefined while they are not read; then names of plans are not checked
 */
export function checkUiHints(
  entities: ReadonlyMap<string, Entity>,
  fetchPlans: readonly FetchPlan[] | undefined,
): readonly string[] {
  return [...entities.values()].flatMap((entity) => [
    ...[...entity.attributes.values()].flatMap((attribute) => checkWidget(entity, attribute)),
    ...(entity.ui === undefined || isInherited(entity, entities) ? [] : checkEntity(entity, entity.ui, fetchPlans)),
  ]);
}

const isInherited = (entity: Entity, entities: ReadonlyMap<string, Entity>): boolean =>
  entities.get(entity.ancestor ?? '')?.ui === entity.ui;

/** Which attributes each widget is for. */
const FITS: Readonly<Record<Widget, (attribute: Attribute) => boolean>> = {
  textarea: (attribute) => attribute.kind === 'datatype' && attribute.datatype === 'string',
  radio: ({ kind }) => kind === 'enum',
  checkbox: (attribute) => attribute.kind === 'datatype' && attribute.datatype === 'boolean',
  hidden: () => true,
};

const ONLY_FOR: Readonly<Record<Widget, string>> = {
  textarea: 'for texts',
  radio: 'for enums',
  checkbox: 'for booleans',
  hidden: 'for all attributes',
};

function checkWidget(entity: Entity, attribute: Attribute): readonly string[] {
  const widget = attribute.ui?.widget;
  if (widget === undefined || attribute.declaredBy !== entity.name) return [];
  const where = `${entity.name}.${attribute.name}`;
  if (!WIDGETS.includes(widget)) return [`${where} has the unknown widget ${widget}${suggestion(widget, WIDGETS)}`];
  return FITS[widget](attribute) ? [] : [`${where} has the widget ${widget}, which is ${ONLY_FOR[widget]}`];
}

function checkEntity(
  { name: entity, attributes }: Entity,
  { order = [], groups = [], listPlan }: EntityUi,
  fetchPlans: readonly FetchPlan[] | undefined,
): readonly string[] {
  const grouped = groups.flatMap((group) => group.attributes);
  const unknown = (where: string, names: readonly string[]): readonly string[] =>
    names
      .filter((name) => !attributes.has(name))
      .map((name) => `${where} of ${entity} names the unknown attribute ${name}${suggestion(name, attributes.keys())}`);
  const plans = [
    ...BUILT_IN_FETCH_PLANS,
    ...(fetchPlans ?? []).flatMap((plan) => (plan.entity === entity ? [plan.name ?? ''] : [])),
  ];
  return [
    ...unknown('ui.order', order),
    ...repeated(order).map((name) => `ui.order of ${entity} names ${name} twice`),
    ...groups
      .filter(({ name }) => !/^[A-Za-z]\w*$/.test(name))
      .map(({ name }) => `ui.groups of ${entity}: the name "${name}" has characters other than letters, digits and _`),
    ...repeated(groups.map(({ name }) => name)).map((name) => `Two ui.groups of ${entity} have the name ${name}`),
    ...groups.flatMap(({ name, attributes: members }) => unknown(`The ui.group ${name}`, members)),
    ...repeated(grouped).map((name) => `${entity}.${name} is in the ui.groups twice`),
    ...(listPlan === undefined || fetchPlans === undefined || plans.includes(listPlan)
      ? []
      : [`ui.listPlan of ${entity} is the unknown fetch plan ${listPlan}${suggestion(listPlan, plans)}`]),
  ];
}

const repeated = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, at) => names.indexOf(name) !== at)),
];
