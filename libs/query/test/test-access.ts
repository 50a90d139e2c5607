import { parsePolicyCondition, type ReadAccess, type RowPredicate } from '@lintel/query';

/** What a case's caller may not see. */
export interface TestAccess {
  /** Entities that may not be read. */
  readonly unreadable?: readonly string[];
  /** `<entity>.<attribute>` that may not be viewed. */
  readonly hidden?: readonly string[];
  /** Where-clauses of row-level query policies by entity. */
  readonly rows?: Readonly<Record<string, string | { readonly where: string; readonly join: string }>>;
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
      rows: where === undefined ? undefined : parsePolicyCondition(where, undefined, join),
      predicates: predicates[name] ?? [],
    };
  },
});
