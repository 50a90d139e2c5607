import type { ShownContent, ShownValues } from './shown-version.ts';

/** An attribute with different values. */
export interface AttributeDifference {
  readonly attribute: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** A template that only one of the versions has, or that differs. */
export interface TemplateDifference {
  readonly code: unknown;
  readonly change: 'added' | 'removed' | 'changed';
  readonly attributes: readonly AttributeDifference[];
}

/** What differs between two versions; templates are missing where the caller does not see them. */
export interface VersionDifference {
  readonly attributes: readonly AttributeDifference[];
  readonly templates?: readonly TemplateDifference[];
}

/** Compares two versions of a report: values of attributes, and templates by their codes. */
export function compareVersions(from: ShownContent, to: ShownContent): VersionDifference {
  const attributes = differencesOf(from.attributes, to.attributes);
  if (from.templates === undefined || to.templates === undefined) return { attributes };
  const [before, after] = [byCode(from.templates), byCode(to.templates)];
  const templates = [...new Set([...before.keys(), ...after.keys()])].flatMap((code): readonly TemplateDifference[] => {
    const [old, current] = [before.get(code), after.get(code)];
    const differences = differencesOf(old ?? {}, current ?? {});
    if (old === undefined) return [{ code, change: 'added', attributes: differences }];
    if (current === undefined) return [{ code, change: 'removed', attributes: differences }];
    return differences.length === 0 ? [] : [{ code, change: 'changed', attributes: differences }];
  });
  return { attributes, templates };
}

function differencesOf(from: ShownValues, to: ShownValues): readonly AttributeDifference[] {
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...names].flatMap((attribute) => {
    const [before, after] = [from[attribute] ?? null, to[attribute] ?? null];
    return before === after ? [] : [{ attribute, from: before, to: after }];
  });
}

const byCode = (templates: readonly ShownValues[]): ReadonlyMap<unknown, ShownValues> =>
  new Map(templates.map((template) => [template['code'], template]));
