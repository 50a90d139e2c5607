export const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type FilterValue = string | number | boolean | null;

/** A filter after parsing (RFC 7644 §3.4.2.2). Paths are in small letters, with `.` before a sub-attribute. */
export type Filter =
  | { readonly kind: 'compare'; readonly path: string; readonly comparison: Comparison; readonly value: FilterValue }
  | { readonly kind: 'present'; readonly path: string }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Filter[] }
  | { readonly kind: 'not'; readonly term: Filter };
