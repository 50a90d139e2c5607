import type { DetailedAttributeInfo } from '@lintel/client';
import { AUTOMATIC_ATTRIBUTES } from '../model/automatic-attributes.ts';
import { isSameValue } from './changes.ts';
import { attributesOf, entityOfValue, kindOf, type Schema } from './schema.ts';
import { createLine, isNewLine, isObject, joinPath, keyOfLine, type Line, linesOf, type Values } from './values.ts';

/** A part of the way to a difference: an attribute of an entity, or an instance. */
export type Step =
  | { readonly entity: string; readonly attribute: DetailedAttributeInfo }
  | { readonly instance: Values };

/** A value that somebody else has changed, or the user, or both. */
export interface Difference {
  /** As the paths of a draft. */
  readonly path: string;
  /** The way to the value, for its caption: entities, attributes and instances. */
  readonly steps: readonly Step[];
  /** The value that the input began with. */
  readonly before: unknown;
  /** The value with the input. */
  readonly mine: unknown;
  /** The value that is stored now. */
  readonly theirs: unknown;
  /** The user has changed it; if not, somebody else has. */
  readonly isMine: boolean;
  /** Both have changed it, to different values. */
  readonly isConflict: boolean;
}

/** The result of a comparison with a choice. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** What is stored, with the changes of the user. */
  readonly merged: Values;
}

interface Three {
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/**
 * Compares what the user began with, what the user has entered, and what is stored now, with the children of
 * compositions at any depth.
 *
 * @param taken paths of values for which the stored one is taken; for others, the user's
 */
export function compareThreeWays(
  schema: Schema,
  entity: string,
  three: { readonly base: Values; readonly mine: Values; readonly theirs: Values },
  taken: ReadonlySet<string> = new Set(),
): Comparison {
  const differences: Difference[] = [];
  const add = (difference: Difference): boolean => {
    differences.push(difference);
    return taken.has(difference.path);
  };
  const merged = compareObjects({ schema, add }, entity, three, '', []);
  return { differences, merged };
}

interface Comparing {
  readonly schema: Schema;
  /** @returns whether the stored value is taken */
  readonly add: (difference: Difference) => boolean;
}

function compareObjects(
  comparing: Comparing,
  entity: string,
  values: Three,
  path: string,
  steps: readonly Step[],
): Values {
  const [was, own, other] = [values.base, values.mine, values.theirs].map((value) =>
    isObject(value) ? value : {},
  ) as [Values, Values, Values];
  const merged: Record<string, unknown> = { ...other };
  for (const attribute of attributesOf(comparing.schema, entity, own, other)) {
    const { name } = attribute;
    if (name === 'id' || AUTOMATIC_ATTRIBUTES.has(name) || !(name in own || name in other)) continue;
    const mine = name in own ? own[name] : was[name];
    // A removed child of a composition to one.
    const isRemoved = isObject(mine) && mine['_removed'] === true;
    const three = { base: was[name], mine: isRemoved ? null : mine, theirs: other[name] };
    const value = compareAttribute(comparing, attribute, three, joinPath(path, name), [
      ...steps,
      { entity, attribute },
    ]);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

function compareAttribute(
  comparing: Comparing,
  attribute: DetailedAttributeInfo,
  three: Three,
  path: string,
  steps: readonly Step[],
): unknown {
  const { schema } = comparing;
  const { base, mine, theirs } = three;
  const kind = kindOf(attribute);
  if (kind === 'lines') return compareLines(comparing, attribute.type, three, path, steps);
  const isStructured = kind === 'embedded' || kind === 'part';
  if (isStructured && isObject(mine) && isObject(theirs) && (kind === 'embedded' || isSameId(mine, theirs)))
    return compareObjects(comparing, entityOfValue(schema, mine, attribute.type), three, path, steps);
  const isMine = !isSameValue(schema, attribute, base, mine);
  const isTheirs = !isSameValue(schema, attribute, base, theirs);
  if (!isMine && !isTheirs) return theirs;
  const isConflict = isMine && isTheirs && !isSameValue(schema, attribute, theirs, mine);
  const isTaken = comparing.add({ path, steps, before: base, mine, theirs, isMine, isConflict });
  return isMine && !isTaken ? (mine ?? null) : theirs;
}

function compareLines(
  comparing: Comparing,
  type: string,
  { base, mine, theirs }: Three,
  path: string,
  steps: readonly Step[],
): readonly Line[] | undefined {
  if (mine === undefined && theirs === undefined) return undefined;
  const byKey = (value: unknown): ReadonlyMap<string, Line> =>
    new Map(linesOf(value).map((line) => [keyOfLine(line), line]));
  const [were, own, others] = [byKey(base), byKey(mine), byKey(theirs)];
  const merged: Line[] = [];
  for (const key of new Set([...were.keys(), ...others.keys(), ...own.keys()])) {
    const line = compareLine(
      comparing,
      type,
      { was: were.get(key), own: own.get(key), other: others.get(key) },
      joinPath(path, key),
      steps,
    );
    if (line !== undefined) merged.push(line);
  }
  return merged;
}

interface ThreeLines {
  readonly was: Line | undefined;
  readonly own: Line | undefined;
  readonly other: Line | undefined;
}

function compareLine(
  comparing: Comparing,
  type: string,
  { was, own, other }: ThreeLines,
  path: string,
  steps: readonly Step[],
): Line | undefined {
  const { schema } = comparing;
  const entity = entityOfValue(schema, own ?? other ?? was, type);
  const differ = (one: Line | undefined): boolean =>
    one !== undefined &&
    was !== undefined &&
    compareThreeWays(schema, entity, { base: was, mine: one, theirs: was }).differences.length > 0;
  const isRemoved = own?._removed === true;
  const at = [...steps, { instance: own ?? other ?? was ?? {} }];
  const values = { path, steps: at, before: was, mine: isRemoved ? undefined : own, theirs: other };
  const add = (whose: Pick<Difference, 'isMine' | 'isConflict'>): boolean => comparing.add({ ...values, ...whose });
  if (own === undefined) {
    // New in what is stored now.
    if (other !== undefined && was === undefined) add({ isMine: false, isConflict: false });
    return other;
  }
  if (isNewLine(own)) {
    return !isRemoved && add({ isMine: true, isConflict: false }) ? undefined : own;
  }
  if (other === undefined) {
    // Removed by somebody else: input for it becomes a new child.
    const isChanged = differ(own);
    const isTaken = add({ isMine: isRemoved || isChanged, isConflict: !isRemoved && isChanged });
    return isRemoved || isTaken || !isChanged ? undefined : createLine(withoutIds(schema, entity, own));
  }
  if (isRemoved) return add({ isMine: true, isConflict: differ(other) }) ? other : { ...other, _removed: true };
  return { ...other, ...compareObjects(comparing, entity, { base: was, mine: own, theirs: other }, path, at) };
}

const isSameId = (one: Values, other: Values): boolean => JSON.stringify(one['id']) === JSON.stringify(other['id']);

/** The values of a child for a new one; its own children become new, too. */
function withoutIds(schema: Schema, entity: string, { id: _id, ...values }: Values): Values {
  const children = new Map(
    attributesOf(schema, entity)
      .filter((each) => kindOf(each) === 'lines')
      .map((each) => [each.name, each.type]),
  );
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const type = children.get(name);
      return [
        name,
        type === undefined
          ? value
          : linesOf(value).map((child) => createLine(withoutIds(schema, entityOfValue(schema, child, type), child))),
      ];
    }),
  );
}
