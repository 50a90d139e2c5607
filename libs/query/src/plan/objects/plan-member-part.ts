import type { ReferenceAttribute } from '@lintel/metadata';
import type { ResolvedMembers } from '../../resolve/resolved-query.ts';
import type { SecuredNode } from '../../secure/secured-query.ts';
import type { Visibility } from '../../secure/visibility.ts';
import { reach } from '../joins/plan-joins.ts';
import { planPagedSort } from '../paging/plan-sort.ts';
import type { MemberPlan, ValuePlan } from '../read-plan.ts';
import type { Row, RowSource } from '../row-source.ts';

/** Members of an object about its collections (contract/fetch-plans.md#members). */
export const PARTIAL_MEMBER = '_partial';
const COUNTS_MEMBER = '_counts';

type Many = Extract<ValuePlan, { kind: 'many' }>;

/** Plans which members of a collection are shown: the source keeps those that the filter selects. */
export function planMemberPart(
  { filter, sort, limit, offset }: ResolvedMembers,
  source: RowSource,
  { visibility }: { readonly visibility: Visibility },
): Pick<Many, 'orderBy' | 'part'> {
  if (filter !== undefined) source.restrict([source.context.planCondition(filter, source, visibility)]);
  return {
    orderBy: planPagedSort(sort, source, visibility),
    ...(limit === undefined && offset === undefined ? {} : { part: { limit, offset } }),
  };
}

/** The names of the collections that may have more members than are shown, and the requested numbers of members. */
export function memberFacts(
  { properties }: SecuredNode,
  row: Row,
  { visibility }: { readonly visibility: Visibility },
): readonly MemberPlan[] {
  const selected = properties.flatMap(({ attribute, members }) =>
    members === undefined ? [] : [{ attribute, members }],
  );
  if (selected.length === 0) return [];
  const partial = selected.filter(
    ({ members: { filter, limit, offset } }) => (filter ?? limit ?? offset) !== undefined,
  );
  const counts = selected
    .filter(({ members }) => members.isCounted)
    .map(({ attribute, members: { filter } }): MemberPlan => {
      const { source } = reach(row, attribute as ReferenceAttribute, '', visibility);
      if (filter !== undefined) source.restrict([source.context.planCondition(filter, source, visibility)]);
      return { name: attribute.name, value: { kind: 'count', ...source.rows } };
    });
  const object = { members: counts, cycles: [], short: [], policies: [] };
  const names = partial.map(({ attribute }) => attribute.name);
  return [
    ...(names.length === 0 ? [] : [{ name: PARTIAL_MEMBER, value: { kind: 'names', names } as const }]),
    ...(counts.length === 0
      ? []
      : [{ name: COUNTS_MEMBER, value: { kind: 'object', object, presentWhen: undefined } as const }]),
  ];
}
