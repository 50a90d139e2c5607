import type { ValidationItem } from '@lintel/errors';
import { type EntityRule, isToMany, type Model } from '@lintel/metadata';
import type { InstanceNode } from '../merge/instance-node.ts';
import { changedPaths } from '../merge/merge-values.ts';
import { toJsonForm } from '../values/json-form.ts';
import { type Localize, plainText } from './messages.ts';

/** Members of collections by attribute, in JSON form. */
export type Collections = Readonly<Record<string, unknown>>;

/** Rules of the instance as a whole are tested on every new instance and on every one that the save changes. */
const isTested = (node: InstanceNode): boolean =>
  node.kind === 'create' || node.children.size > 0 || changedPaths(node.layout, node.before, node.after).length > 0;

/** Names of the collections that the rules of an instance may read. */
export const collectionsOfRules = (node: InstanceNode): ReadonlySet<string> =>
  new Set(
    node.entity.rules
      .flatMap((rule) => rule.dependsOn)
      .filter((name) => {
        const attribute = node.entity.attributes.get(name);
        return attribute !== undefined && (attribute.kind === 'elements' || isToMany(attribute));
      }),
  );

/** The violated rules of the instance as a whole. */
export function testRules(
  model: Model,
  node: InstanceNode,
  collections: Collections,
  localize: Localize,
): readonly ValidationItem[] {
  if (!isTested(node) || node.entity.rules.length === 0) return [];
  const form = { ...toJsonForm(model, node.layout, node.after), ...collections };
  return node.entity.rules.filter((rule) => !rule.test(form)).map((rule) => violationOf(node, rule, localize));
}

/**
 * The same without the collections, which must be loaded: most rules look at other values first. Rules are pure, so
 * one that looks into a collection can be asked again when its members are there.
 *
 * @returns undefined where a rule has looked into a collection
 */
export function testRulesWithout(
  model: Model,
  node: InstanceNode,
  localize: Localize,
): readonly ValidationItem[] | undefined {
  const names = collectionsOfRules(node);
  if (names.size === 0 || !isTested(node)) return testRules(model, node, {}, localize);
  let isRead = false;
  const unread = unreadCollection(() => {
    isRead = true;
  });
  try {
    const items = testRules(model, node, Object.fromEntries([...names].map((name) => [name, unread])), localize);
    return isRead ? undefined : items;
  } catch (error) {
    if (isRead) return undefined;
    throw error;
  }
}

/** Made once: where it was thrown is of no interest, and finding that out takes longer than the rule. */
const COLLECTION_READ = new Error('A rule looks into a collection that is not loaded');

/** Is an array for whoever only asks for that; any look into it is told and goes no further. */
function unreadCollection(onRead: () => void): readonly unknown[] {
  const stop = (): never => {
    onRead();
    throw COLLECTION_READ;
  };
  return new Proxy<unknown[]>([], {
    get: stop,
    has: stop,
    ownKeys: stop,
    getOwnPropertyDescriptor: stop,
    getPrototypeOf: stop,
    set: stop,
  });
}

function violationOf(node: InstanceNode, rule: EntityRule, localize: Localize): ValidationItem {
  const text = plainText(rule.message);
  return {
    message: localize(text, node.entity.name),
    messageTemplate: text.messageTemplate,
    path: node.path,
    invalidValue: null,
  };
}
