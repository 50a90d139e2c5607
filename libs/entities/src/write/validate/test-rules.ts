import type { ValidationItem } from '@lintel/errors';
import { type Attribute, type Entity, type EntityRule, isToMany, isToOne, type Model } from '@lintel/metadata';
import type { InstanceNode } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import { toJsonForm } from '../values/json-form.ts';
import { INVALID, type Localize, ownText } from '../values/messages.ts';

/** Members of collections, and other ends of 1:1 references, by attribute, in JSON form. */
export type Collections = Readonly<Record<string, unknown>>;

/** Rules of the instance as a whole are tested on every new instance and on every one that the save changes. */
const isTested = (node: InstanceNode): boolean =>
  node.kind === 'create' || node.children.size > 0 || changedPaths(node.layout, node.before, node.after).length > 0;

/** A reference to one whose value is stored in the row of the other end. */
const isStoredAtOtherEnd = (attribute: Attribute): boolean =>
  attribute.kind === 'reference' && attribute.persistent && !attribute.owning && isToOne(attribute);

/** Names of the collections and of the other ends of 1:1 references that the rules of an instance may read. */
export function collectionsOfRules({ entity }: InstanceNode): ReadonlySet<string> {
  const names = COLLECTIONS_OF_RULES.get(entity) ?? findCollections(entity);
  COLLECTIONS_OF_RULES.set(entity, names);
  return names;
}

const COLLECTIONS_OF_RULES = new WeakMap<Entity, ReadonlySet<string>>();

const findCollections = ({ rules, attributes }: Entity): ReadonlySet<string> =>
  new Set(
    rules
      .flatMap((rule) => rule.dependsOn)
      .filter((name) => {
        const attribute = attributes.get(name);
        if (attribute === undefined) return false;
        return attribute.kind === 'elements' || isToMany(attribute) || isStoredAtOtherEnd(attribute);
      }),
  );

/**
 * Whether rules can be tried with placeholders for collections that are not loaded: there is no placeholder for null.
 */
const canBeTried = ({ entity }: InstanceNode, names: ReadonlySet<string>): boolean =>
  [...names].every((name) => {
    const attribute = entity.attributes.get(name);
    return attribute === undefined || !isStoredAtOtherEnd(attribute);
  });

/** The violated rules of the instance as a whole. */
export function testRules(
  model: Model,
  node: InstanceNode,
  collections: Collections,
  localize: Localize,
): readonly ValidationItem[] {
  if (!isTested(node) || node.entity.rules.length === 0) return [];
  const form = Object.assign(toJsonForm(model, node.layout, node.after), collections);
  return node.entity.rules.filter((rule) => !rule.test(form)).map((rule) => violationOf(node, rule, localize));
}

/**
 * The same without the collections, which would have to be loaded: most rules read other values first. Rules are pure,
 * so a rule that reads a collection can be tested again when its members are loaded.
 *
 * @returns undefined if a rule has read a collection, or may read the other end of a 1:1 reference
 */
export function testRulesWithout(
  model: Model,
  node: InstanceNode,
  localize: Localize,
): readonly ValidationItem[] | undefined {
  const unread = unreadOfRules(node);
  if (unread === 'none' || !isTested(node)) return testRules(model, node, NO_COLLECTIONS, localize);
  if (unread === 'needed') return undefined;
  hasRead = false;
  try {
    const items = testRules(model, node, unread, localize);
    return hasRead ? undefined : items;
  } catch (error) {
    if (hasRead) return undefined;
    throw error;
  }
}

const NO_COLLECTIONS: Collections = Object.freeze({});

/** Placeholders for the collections of the rules; `needed` if rules cannot be tried without the collections. */
function unreadOfRules(node: InstanceNode): Collections | 'none' | 'needed' {
  const known = UNREAD_OF_RULES.get(node.entity);
  if (known !== undefined) return known;
  const names = collectionsOfRules(node);
  const tried = canBeTried(node, names) ? Object.fromEntries([...names].map((name) => [name, UNREAD])) : 'needed';
  const unread = names.size === 0 ? 'none' : tried;
  UNREAD_OF_RULES.set(node.entity, unread);
  return unread;
}

const UNREAD_OF_RULES = new WeakMap<Entity, Collections | 'none' | 'needed'>();

/** Created once: its stack trace is not used, and capturing one takes longer than the rule. */
const COLLECTION_READ = new Error('A rule looks into a collection that is not loaded');

/** Whether a rule has read a placeholder since this was reset; rules are synchronous. */
let hasRead = false;

const stop = (): never => {
  hasRead = true;
  throw COLLECTION_READ;
};

/** The placeholder. `Array.isArray` is true for it; any access to an element is noted and throws. */
const UNREAD: readonly unknown[] = new Proxy<unknown[]>([], {
  get: stop,
  has: stop,
  ownKeys: stop,
  getOwnPropertyDescriptor: stop,
  getPrototypeOf: stop,
  set: stop,
});

function violationOf(node: InstanceNode, rule: EntityRule, localize: Localize): ValidationItem {
  const text = ownText(rule.message, INVALID);
  return {
    message: localize(text, node.entity.name),
    messageTemplate: text.messageTemplate,
    path: node.path,
    invalidValue: null,
  };
}
