import { entityOf, isToOne, type ReferenceAttribute } from '@lintel/metadata';
import type { SecuredNode } from '../../secure/secured-query.ts';
import type { MemberPlan, TokenPlan, ValuePlan } from '../read-plan.ts';
import type { Row, RowSource } from '../row-source.ts';
import { reachAllTargets } from '../trusted.ts';
import type { ObjectContext } from './plan-object.ts';

/** The member with the ids of all members of a collection, which the shape stage reads and drops. */
export const TOKEN_MEMBER = '$token';

/**
 * The input of the security token of an instance: for each returned reference whose targets row rules may hide, the
 * ids of all targets. The shape stage compares them with the returned ones.
 */
export function planToken(
  node: SecuredNode,
  row: Row,
  context: ObjectContext,
  planId: (source: RowSource) => ValuePlan,
): { readonly token: TokenPlan | undefined; readonly members: readonly MemberPlan[] } {
  if (!context.tokens) return { token: undefined, members: [] };
  const { model, visibility } = context;
  const hiding = node.properties.flatMap(({ attribute }): ReferenceAttribute[] => {
    if (attribute.kind !== 'reference' || !attribute.persistent) return [];
    const target = entityOf(model, attribute.target);
    const mayHide = visibility.rowsOf(target) !== undefined || visibility.predicatesOf(target).length > 0;
    return mayHide ? [attribute] : [];
  });
  const members = hiding.map((attribute): MemberPlan => {
    const source = reachAllTargets(row, attribute);
    const object = { members: [{ name: 'id', value: planId(source) }], cycles: [], short: [], policies: [] };
    const name = `${attribute.declaredBy}.${attribute.name}`;
    return {
      name: attribute.name,
      value: isToOne(attribute)
        ? { kind: 'one', ...source.rows, object }
        : { kind: 'many', name, ...source.rows, orderBy: source.keyColumns(), object },
    };
  });
  return {
    token: { entity: row.entity.name, references: hiding.map(({ name }) => name) },
    members:
      members.length === 0
        ? []
        : [
            {
              name: TOKEN_MEMBER,
              value: {
                kind: 'object',
                object: { members, cycles: [], short: [], policies: [] },
                presentWhen: undefined,
              },
            },
          ],
  };
}
