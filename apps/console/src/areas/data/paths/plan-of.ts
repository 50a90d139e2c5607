/** A plan with nested plans for the references. */
export interface PathPlan {
  readonly [name: string]: true | PathPlan;
}

/** A plan that shows the attributes of paths, and of references their names. Dynamic attributes are in no plan. */
export function planOf(paths: readonly string[]): PathPlan {
  const below = Map.groupBy(
    paths.map((path) => path.split('.')),
    ([name = '']) => name,
  );
  const members = [...below]
    .filter(([name]) => !name.startsWith('+'))
    .map(([name, all]): [string, true | PathPlan] => {
      const rests = all.map(([, ...rest]) => rest.join('.')).filter((rest) => rest !== '' && !rest.startsWith('+'));
      return [name, rests.length === 0 ? true : planOf(rests)];
    });
  return Object.fromEntries(members);
}
