import { checkJson } from '@lintel/application';
import type { ValidationItem } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { type InstanceNode, isLeftOut } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import type { ColumnSlot } from '../model/layout.ts';
import { valueInJson } from '../values/json-form.ts';
import { type Localize, notSentForAll, type RuleText, schemaText } from '../values/messages.ts';
import type { Now } from './check-rule.ts';
import { checkElements, checkSlot } from './check-value.ts';

/**
 * All violated rules of the values of one instance. A new instance is checked as a whole, a stored one only in its
 * changed values, so that an old value that the caller may not see is never reported.
 *
 * @param localize returns the texts in the caller's language
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
    const json = valueInJson(model, node.layout, slot.path, value);
    for (const text of explained(node, slot.path, checkSlot(slot, value, json, isMandatory(node, slot), now)))
      items.push(itemOf(node, slot.path, text, slot.attribute.secret, localize, slot.isKey ? json : null));
    const violation = jsonViolation(slot, json);
    if (violation !== undefined)
      items.push(itemOf(node, `${slot.path}${violation.path}`, violation.text, slot.attribute.secret, localize));
  }
  for (const attribute of elements) {
    if (!isNew && !changed.includes(attribute.name)) continue;
    const { name } = attribute;
    const values = (node.after.get(name) ?? []) as readonly unknown[];
    const violations = checkElements(attribute, values, now);
    const whole = violations.flatMap(({ index, text }) => (index === undefined ? [text] : []));
    for (const text of explained(node, name, whole)) items.push(itemOf(node, name, text, false, localize));
    for (const { index, text } of violations)
      if (index !== undefined) items.push(itemOf(node, `${name}[${index}]`, text, false, localize));
  }
  return items;
}

/**
 * One text instead of all violations of a value that is null, or an empty collection, because another child of the
 * collection names the attribute.
 */
function explained(
  { filled, after }: InstanceNode,
  path: string,
  violations: readonly RuleText[],
): readonly RuleText[] {
  if (violations.length === 0 || filled === undefined || !filled.paths.has(path)) return violations;
  // A listener may have set it since.
  const value = after.get(path) ?? null;
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  return isEmpty ? [notSentForAll(filled.collection)] : violations;
}

/** The violation of the schema of a JSON attribute, with its place in the value. */
function jsonViolation({ attribute }: ColumnSlot, value: unknown) {
  if (attribute.kind !== 'datatype' || attribute.jsonSchema === undefined || value === null) return undefined;
  const violation = checkJson(attribute.jsonSchema, value);
  return violation && { path: violation.path, text: schemaText(violation.problem) };
}

/** The server sets them; they are never the client's fault. */
const isSystem = ({ layout }: InstanceNode, path: string): boolean => layout.systemPaths.has(path);

/** Inside an embedded attribute a value is required only if the embedded attribute is present. */
function isMandatory(node: InstanceNode, slot: ColumnSlot): boolean {
  if (slot.isKey) return true;
  if (!slot.attribute.mandatory || slot.attribute.generated === true || isLeftOut(node, slot)) return false;
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
  /** Of a part of the key, which is no value that was sent on its own. */
  inKey: unknown = null,
): ValidationItem {
  const sent: unknown = node.sent.get(path) ?? elementOf(node, path) ?? inKey;
  return {
    message: localize(text, node.entity.name),
    messageTemplate: text.messageTemplate,
    path: node.path === '' ? path : `${node.path}.${path}`,
    invalidValue: isSecret ? null : sent,
  };
}

/** The sent value of `tags[2]`. */
function elementOf(node: InstanceNode, path: string): unknown {
  const match = /^(.*)\[(\d+)\]$/.exec(path);
  const whole = match?.[1] === undefined ? undefined : node.sent.get(match[1]);
  return Array.isArray(whole) ? whole[Number(match?.[2])] : undefined;
}
