import { type Condition, parsePolicyCondition, type ReadAccess, type RowPredicate } from '@lintel/query';

/** What a case's caller may not see. */
export interface TestAccess {
  /** Entities that may not be read. */
  readonly unreadable?: readonly string[];
  /** `<entity>.<attribute>` that may not be viewed. */
  readonly hidden?: readonly string[];
  /** Where-clauses of row-level query policies by entity. */
  readonly rows?: Readonly<Record<string, string | { readonly where: string; readonly join: string }>>;
  /** Of children that are visible where their owner is: the composition, and the where-clause of the owner. */
  readonly owned?: Readonly<
    Record<string, { readonly owner: string; readonly attribute: string; readonly where: string }>
  >;
  /** Values of the policies' parameters. */
  readonly session?: Readonly<Record<string, unknown>>;
}

/** A caller who sees everything but what `access` names. */
export const readAccessOf = (
  access: TestAccess = {},
  predicates: Readonly<Record<string, readonly RowPredicate[]>> = {},
): ReadAccess => ({
  fingerprint: JSON.stringify(access),
  entity: (name) => {
    const rows = access.rows?.[name];
    const { where, join } = typeof rows === 'string' ? { where: rows, join: undefined } : (rows ?? {});
    return {
      canRead: !access.unreadable?.includes(name),
      mayView: (attribute) => !access.hidden?.includes(`${name}.${attribute}`),
      rows: where === undefined ? ownedRows(access.owned?.[name]) : parsePolicyCondition(where, undefined, join),
      predicates: predicates[name] ?? [],
    };
  },
});

const ownedRows = (owned: NonNullable<TestAccess['owned']>[string] | undefined): Condition | undefined =>
  owned && { kind: 'owned', by: [{ ...owned, rows: parsePolicyCondition(owned.where) }] };
