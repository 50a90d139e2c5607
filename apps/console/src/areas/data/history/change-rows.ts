import type { DetailedAttributeInfo, InstanceChange } from '@lintel/client';
import { isObject, type Schema } from '@lintel/react';
import { captionOf, type Model } from '../../../context.ts';

/** One value before and after a change. */
export interface ChangeRow {
  readonly key: string;
  /** From the instance to the attribute: `Lines`, `#2`, `Quantity`. */
  readonly path: readonly string[];
  /** Absent for a part that was added or removed as a whole. */
  readonly attribute: DetailedAttributeInfo | undefined;
  readonly before: unknown;
  readonly after: unknown;
  /** Personal values that differ are not shown to the user. */
  readonly isMasked?: true;
  /** Effect of the change on a part. */
  readonly part?: InstanceChange['operation'];
}

type CaptionModel = Pick<Model, 'captions'> & { readonly entities: Schema };
type Change = Pick<InstanceChange, 'attributes' | 'children'>;

/** Characters of an id that distinguish parts. */
const SHOWN_ID = 8;

/** The values of a change and of its children, embedded objects by their attributes. */
export function changeRows(
  model: CaptionModel,
  entity: string,
  { attributes, children = [] }: Change,
  path: readonly string[] = [],
): readonly ChangeRow[] {
  const own = attributes.flatMap(({ attribute: name, old, new: after, masked }) => {
    const rows = valueRows(model, entity, { name, before: old, after }, path);
    if (masked !== true) return rows;
    const at = [...path, captionOf(model, entity, name)];
    const empty = { before: undefined, after: undefined, attribute: undefined };
    const hidden = { key: `${[...path, name].join('/')} masked`, path: at, ...empty, isMasked: masked };
    // Some members of an embedded object may be shown.
    return [...rows.filter(({ before, after: now }) => before !== undefined || now !== undefined), hidden];
  });
  const parts = children.flatMap((child) => {
    const at = [...path, captionOf(model, entity, child.attribute), nameOfPart(child)];
    const key = at.join('/');
    const whole = { key, path: at, attribute: undefined, before: undefined, after: undefined, part: child.operation };
    return [...(child.operation === 'updated' ? [] : [whole]), ...changeRows(model, child.entity, child, at)];
  });
  return [...own, ...parts];
}

interface Value {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

function valueRows(
  model: CaptionModel,
  entity: string,
  { name, before, after }: Value,
  path: readonly string[],
): readonly ChangeRow[] {
  const info = model.entities.get(entity);
  const attribute = [...(info?.properties ?? []), ...(info?.dynamicProperties ?? [])].find(
    (each) => each.name === name,
  );
  const at = [...path, captionOf(model, entity, name)];
  if (attribute?.attributeType !== 'EMBEDDED')
    return [{ key: [...path, name].join('/'), path: at, attribute, before, after }];
  const [old, now] = [before, after].map((value) => (isObject(value) ? value : {}));
  return [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])]
    .filter((member) => !member.startsWith('_') && JSON.stringify(old?.[member]) !== JSON.stringify(now?.[member]))
    .flatMap((member) =>
      valueRows(model, attribute.type, { name: member, before: old?.[member], after: now?.[member] }, at),
    );
}

/** An instance name among the values, else the beginning of the id. */
const nameOfPart = ({ id }: { readonly id: unknown }): string =>
  `#${(typeof id === 'object' ? JSON.stringify(id) : String(id)).slice(0, SHOWN_ID)}`;
