import type { ValidationItem } from '@lintel/errors';
import type { Model, SystemAttributes } from '@lintel/metadata';
import type { ColumnSlot } from '../layout/layout.ts';
import type { InstanceNode } from '../merge/instance-node.ts';
import { changedPaths } from '../merge/merge-values.ts';
import { valueInJson } from '../values/json-form.ts';
import type { Value } from '../values/value.ts';
import type { Now } from './check-rule.ts';
import { checkElements, checkSlot } from './check-value.ts';
import type { Localize, RuleText } from './messages.ts';

/**
 * All violated rules of the values of one instance. A new instance is checked as a whole, a stored one where it
 * changes, so that an old value the caller may not see is never reported.
 *
 * @param localize puts the texts into the caller's language
 */
export function validateNode(
  model: Model,
  node: InstanceNode,
  now: Now,
  localize: Localize,
): readonly ValidationItem[] {
  const { slots, elements } = node.layout;
  const isNew = node.kind === 'create';
  const changed = changedPaths(node.layout, node.before, node.after);
  const items: ValidationItem[] = [];
  for (const slot of isNew ? slots.values() : changed.flatMap((path) => slots.get(path) ?? [])) {
    if (isSystem(node, slot.path)) continue;
    const value = node.after.get(slot.path) ?? null;
    for (const text of checkSlot(
      slot,
      value,
      valueInJson(model, node.layout, slot.path, value),
      isMandatory(node, slot),
      now,
    ))
      items.push(itemOf(node, slot.path, text, slot.attribute.secret, localize));
  }
  for (const attribute of elements) {
    if (!isNew && !changed.includes(attribute.name)) continue;
    const values = (node.after.get(attribute.name) ?? []) as readonly unknown[];
    for (const { index, text } of checkElements(attribute, values, now))
      items.push(
        itemOf(node, index === undefined ? attribute.name : `${attribute.name}[${index}]`, text, false, localize),
      );
  }
  return items;
}

const SYSTEM_PATHS = new WeakMap<SystemAttributes, ReadonlySet<unknown>>();

/** The server sets them; they are never the client's fault. */
const isSystem = ({ entity }: InstanceNode, path: string): boolean => {
  const { system } = entity;
  const known = SYSTEM_PATHS.get(system) ?? new Set(Object.values(system));
  SYSTEM_PATHS.set(system, known);
  return known.has(path);
};

/** Inside an embedded attribute a value is needed only where the embedded attribute is there at all. */
function isMandatory(node: InstanceNode, slot: ColumnSlot): boolean {
  if (slot.isKey) return true;
  if (!slot.attribute.mandatory) return false;
  const embedded = slot.path.split('.').slice(0, -1).join('.');
  if (embedded === '') return true;
  return [...node.after].some(([path, value]) => path.startsWith(`${embedded}.`) && value !== null);
}

function itemOf(
  node: InstanceNode,
  path: string,
  text: RuleText,
  isSecret: boolean,
  localize: Localize,
): ValidationItem {
  const sent: unknown =
    node.sent.get(path) ?? elementOf(node, path) ?? (node.layout.slots.get(path)?.isKey ? keyOf(node) : null);
  return {
    message: localize(text, node.entity.name),
    messageTemplate: text.messageTemplate,
    path: node.path === '' ? path : `${node.path}.${path}`,
    invalidValue: isSecret ? null : sent,
  };
}

const keyOf = (node: InstanceNode): Value => (node.key.length === 1 ? (node.key[0] ?? null) : null);

/** The sent value of `tags[2]`. */
function elementOf(node: InstanceNode, path: string): unknown {
  const match = /^(.*)\[(\d+)\]$/.exec(path);
  const whole = match?.[1] === undefined ? undefined : node.sent.get(match[1]);
  return Array.isArray(whole) ? whole[Number(match?.[2])] : undefined;
}
