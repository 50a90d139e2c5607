import type { ExtensionColumn, ExtensionParts } from '@lintel/react/console';

/** The columns of the extension for the list of an entity. */
export const columnsFor = ({ columns = [] }: ExtensionParts, entity: string): readonly ExtensionColumn[] =>
  columns.filter((column) => column.entity === entity);

/** A fetch plan that also shows what the columns need; a member of the list's own plan stays if it shows more than `true`. */
export function withPlansOf(plan: object, columns: readonly ExtensionColumn[]): object {
  return columns.reduce<object>((sum, { fetchPlan = {} }) => mergePlans(sum, fetchPlan), plan);
}

type Plan = Readonly<Record<string, unknown>>;

function mergePlans(one: object, other: object): object {
  const merged: Record<string, unknown> = { ...one };
  for (const [name, nested] of Object.entries(other)) {
    const own = (one as Plan)[name];
    const isDeep = typeof own === 'object' && own !== null && typeof nested === 'object' && nested !== null;
    merged[name] = isDeep ? mergePlans(own, nested) : typeof own === 'object' && own !== null ? own : nested;
  }
  return merged;
}
