import type { DetailedEntityInfo } from '@lintel/client';

/** What the model proposes for forms and lists of an entity. */
type Hints = Pick<DetailedEntityInfo, 'ui'>;

/** Attributes in the order that the model proposes; others follow in their order. */
export function inUiOrder<A extends { readonly name: string }>({ ui }: Hints, attributes: readonly A[]): readonly A[] {
  const order = ui?.order ?? [];
  const rankOf = ({ name }: A): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return attributes.toSorted((one, other) => rankOf(one) - rankOf(other));
}
