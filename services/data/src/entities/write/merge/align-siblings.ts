import type { Layout } from '../layout/layout.ts';
import type { InstanceInput, SentValue } from '../parse/instance-input.ts';

/**
 * Children of one collection are merged on the union of their attributes: what one of them names and
 * another does not is set to null on the latter (specification 4.4, rule 4).
 */
export function alignSiblings(layout: Layout, children: readonly InstanceInput[]): readonly InstanceInput[] {
  const paths = new Set(children.flatMap((child) => [...child.values.keys()]));
  const collections = new Set([...layout.elements, ...layout.links, ...layout.inverses].map(({ name }) => name));
  return children.map((child) => {
    const lacking = [...paths].filter((path) => !child.values.has(path));
    if (lacking.length === 0) return child;
    const nulls = lacking.map((path): [string, SentValue] => [
      path,
      { value: collections.has(path) ? [] : null, sent: null },
    ]);
    return { ...child, values: new Map([...child.values, ...nulls]) };
  });
}
