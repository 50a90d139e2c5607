/**
 * The first ring of each connected part of a graph, with its first node again at the end.
 *
 * @param nextOf where the arrows of a node lead
 */
export function* findRings<N>(nodes: Iterable<N>, nextOf: (node: N) => Iterable<N>): Generator<readonly N[]> {
  const done = new Set<N>();
  for (const start of nodes) {
    const ring = findRing(start, [], done, nextOf);
    if (ring !== undefined) yield ring;
  }
}

function findRing<N>(
  at: N,
  path: readonly N[],
  done: Set<N>,
  nextOf: (node: N) => Iterable<N>,
): readonly N[] | undefined {
  const seen = path.indexOf(at);
  if (seen !== -1) return [...path.slice(seen), at];
  if (done.has(at)) return undefined;
  for (const next of nextOf(at)) {
    const ring = findRing(next, [...path, at], done, nextOf);
    if (ring === undefined) continue;
    for (const one of ring) done.add(one);
    return ring;
  }
  done.add(at);
  return undefined;
}
