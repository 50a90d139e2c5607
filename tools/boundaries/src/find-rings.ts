/**
 * Finds the rings of a graph: groups of nodes each of which leads to all others of its group.
 *
 * @param nextOf where the arrows of a node lead
 */
export function findRings<N>(nodes: Iterable<N>, nextOf: (node: N) => Iterable<N>): readonly (readonly N[])[] {
  const reached = new Map([...nodes].map((node) => [node, reachableFrom(node, nextOf)]));
  const rings = new Map<N, readonly N[]>();
  for (const [node, others] of reached) {
    const ring = [...others].filter((other) => reached.get(other)?.has(node));
    if (!rings.has(node)) for (const one of ring) rings.set(one, ring);
  }
  return [...new Set(rings.values())];
}

function reachableFrom<N>(node: N, nextOf: (node: N) => Iterable<N>): ReadonlySet<N> {
  const seen = new Set(nextOf(node));
  // A set is iterated up to what is added on the way.
  for (const one of seen) for (const next of nextOf(one)) seen.add(next);
  return seen;
}
