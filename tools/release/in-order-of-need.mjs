/**
 * Packages in an order in which each comes after those that it depends on.
 *
 * @template {{ description: { name: string, dependencies?: Record<string, string> } }} P
 * @param {readonly P[]} packages
 * @returns {readonly P[]}
 */
export function inOrderOfNeed(packages) {
  const byName = new Map(packages.map((one) => [one.description.name, one]));
  const ordered = new Set();
  const follow = (one) => {
    if (ordered.has(one)) return;
    for (const needed of Object.keys(one.description.dependencies ?? {}))
      if (byName.has(needed)) follow(byName.get(needed));
    ordered.add(one);
  };
  for (const one of packages) follow(one);
  return [...ordered];
}
