import { writeFilter, writeSort } from '../filters/criteria.ts';

/** A plan as the API has it. */
interface ApiPlan {
  readonly entity?: string;
  readonly extends?: string;
  readonly properties: readonly (string | { readonly name: string; readonly fetchPlan: string | ApiPlan })[];
}

/** Which members of a collection a plan shows. */
const SELECTION = /^\$(filter|q|sort|limit|offset|count|depth)$/;

/** A fetch plan for a request: its name, or the plan of an entity that a literal describes. Nested ones name no entity. */
export function writePlan(plan: unknown, entity?: string): string | ApiPlan | undefined {
  if (typeof plan !== 'object' || plan === null) return plan as string | undefined;
  const { $extends, ...attributes } = plan as Readonly<Record<string, unknown>>;
  const properties = Object.entries(attributes)
    .filter(([name, nested]) => nested !== undefined && !SELECTION.test(name))
    .map(([name, nested]) =>
      nested === true
        ? name
        : { name, fetchPlan: writePlan(nested) as NonNullable<ReturnType<typeof writePlan>>, ...selectionOf(nested) },
    );
  return {
    ...(entity !== undefined && { entity }),
    ...($extends !== undefined && { extends: $extends as string }),
    properties,
  };
}

/** Members of the property that the literal of its plan has with a `$`. */
function selectionOf(nested: unknown) {
  const { $filter, $q, $sort, $limit, $offset, $count, $depth } = nested as Selection;
  return {
    filter: $filter && writeFilter($filter),
    q: $q,
    sort: writeSort($sort),
    limit: $limit,
    offset: $offset,
    count: $count,
    depth: $depth,
  };
}

interface Selection {
  readonly $filter?: Parameters<typeof writeFilter>[0];
  readonly $q?: string;
  readonly $sort?: Parameters<typeof writeSort>[0];
  readonly $limit?: number;
  readonly $offset?: number;
  readonly $count?: boolean;
  readonly $depth?: number;
}
