import type { DetailedEntityInfo, FetchPlanInfo } from '@lintel/client';

/** What the model proposes for forms and lists of an entity. */
type Hints = Pick<DetailedEntityInfo, 'ui'>;

/** Attributes in the order that the model proposes; others follow in their order. */
export function inUiOrder<A extends { readonly name: string }>({ ui }: Hints, attributes: readonly A[]): readonly A[] {
  const order = ui?.order ?? [];
  const rankOf = ({ name }: A): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return attributes.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** The paths of the first columns of a list, as the fetch plan has them that the model proposes; undefined without one. */
export function listPathsOf({ ui }: Hints): readonly string[] | undefined {
  return ui?.listPlan === undefined ? undefined : pathsOf(ui.listPlan, '');
}

/** A reference whose plan has no attributes is shown by its name. */
const pathsOf = ({ properties }: Pick<FetchPlanInfo, 'properties'>, prefix: string): readonly string[] =>
  properties.flatMap((property) => {
    if (typeof property === 'string') return [`${prefix}${property}`];
    const { name, fetchPlan } = property;
    return fetchPlan.name === '_instance_name' || fetchPlan.properties.length === 0
      ? [`${prefix}${name}`]
      : pathsOf(fetchPlan, `${prefix}${name}.`);
  });
