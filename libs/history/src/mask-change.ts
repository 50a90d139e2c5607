import type { AttributeChange, ChildChange, InstanceChange } from './compare-states.ts';

/**
 * A change of which the caller may not read personal values: everything that differs is named, with the values of the
 * masked states alone (contract/personal-data.md#masks).
 *
 * @param shown the same change, compared of states without these values; undefined if those do not differ
 */
export function maskChange(full: InstanceChange, shown: InstanceChange | undefined): InstanceChange {
  const attributes = full.attributes.map((each) => maskAttribute(each, byName(shown, each.attribute)));
  const children = full.children?.map((child): ChildChange => {
    const own = shown?.children?.find((one) => one.attribute === child.attribute && isEqual(one.id, child.id));
    const { attribute, entity, id } = child;
    return { attribute, entity, id, ...maskChange(child, own) };
  });
  return { operation: full.operation, attributes, ...(children !== undefined && { children }) };
}

const byName = (change: InstanceChange | undefined, name: string): AttributeChange | undefined =>
  change?.attributes.find(({ attribute }) => attribute === name);

const maskAttribute = (full: AttributeChange, shown: AttributeChange | undefined): AttributeChange =>
  isEqual(full, shown) ? full : { ...(shown ?? { attribute: full.attribute }), masked: true };

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
