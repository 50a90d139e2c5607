import { type IgnoredPart, MAX_IGNORED, MAX_IGNORED_LENGTH, type UnknownInside, withPart } from '@lintel/contracts';
import { PlatformError, suggestion, withoutEffect } from '@lintel/errors';
import { dynamicAttributesOf, dynamicMemberOf, type Entity, type Model } from '@lintel/metadata';
import { type EntityReadAccess, type ExactJson, type ExactObject, hasCompositeKey, keyPartsOf } from '@lintel/query';

/** The error of a member without a meaning, or of a part of its value without an effect. */
export function unknownMember({ inside, name, known, part }: UnknownInside): PlatformError {
  const shown = name.slice(0, MAX_IGNORED_LENGTH);
  const at = inside === '' ? shown : `${inside}.${shown}`;
  if (part !== undefined) return withoutEffect(at, part);
  return new PlatformError('REQ_UNKNOWN_MEMBER', `Unknown member '${at}'${suggestion(shown, known)}`);
}

/** Which attributes of an entity the caller may view. */
type ViewedAttributes = Pick<EntityReadAccess, 'mayView'>;

/**
 * The members of the objects of a body that the model does not have (contract/conventions.md#unknown). Attributes that
 * the caller may not view count as unknown, so that no response shows that they exist.
 */
export class UnknownNames {
  readonly #model: Model;
  readonly #viewOf: (entity: string) => ViewedAttributes;
  readonly #refuses: boolean;
  #names: Set<string> | undefined;
  /** Paths of attributes that the caller may not view. */
  #hidden: Set<string> | undefined;

  /** @param refuses whether the first unknown name is an error */
  constructor(model: Model, viewOf: (entity: string) => ViewedAttributes, refuses: boolean) {
    this.#model = model;
    this.#viewOf = viewOf;
    this.#refuses = refuses;
  }

  /** Paths without positions; undefined if there is none. */
  get names(): readonly string[] | undefined {
    return this.#names === undefined ? undefined : [...this.#names];
  }

  /**
   * Checks the members of one object. Inside of what is hidden nothing is named: it would show that it is an object.
   *
   * @param path of the object in the body
   * @throws PlatformError REQ_UNKNOWN_MEMBER
   */
  check(entity: Entity, json: ExactObject, path: string): void {
    if (this.#isFull || this.#isHidden(path)) return;
    const viewed = this.#viewOf(entity.name);
    for (const name in json) {
      const isAttribute = entity.attributes.has(name);
      if (isAttribute ? viewed.mayView(name) : isOther(this.#model, entity, name)) continue;
      this.#note(() => [...entity.attributes.keys()].filter((one) => viewed.mayView(one)), name, path);
      if (this.#isFull) return;
      if (!isAttribute) continue;
      this.#hidden ??= new Set();
      this.#hidden.add(path === '' ? name : `${path}.${name}`);
    }
  }

  /**
   * Checks the members of an object that is none of the model.
   *
   * @throws PlatformError REQ_UNKNOWN_MEMBER
   */
  checkMembers(json: ExactObject, known: readonly string[], path: string): void {
    for (const name in json) if (!known.includes(name)) this.#note(() => known, name, path);
  }

  /**
   * Notes what has no effect: an attribute that the caller may view and not set, or a part of a value.
   *
   * @param path of the attribute, whose object has been checked
   * @throws PlatformError REQ_WITHOUT_EFFECT
   */
  noteWithoutEffect(path: string, part?: IgnoredPart): void {
    if (this.#isHidden(path)) return;
    if (this.#refuses) throw withoutEffect(path, part);
    this.#add(withPart(withoutPositions(path), part));
  }

  /** One more than are reported shows that there are others. */
  get #isFull(): boolean {
    return this.#names !== undefined && this.#names.size > MAX_IGNORED;
  }

  #isHidden(path: string): boolean {
    if (this.#hidden === undefined) return false;
    if (this.#hidden.has(path)) return true;
    for (const { index } of path.matchAll(/[.[]/g)) if (this.#hidden.has(path.slice(0, index))) return true;
    return false;
  }

  #note(knownOf: () => readonly string[], name: string, path: string): void {
    if (this.#refuses) throw unknownMember({ inside: path, name, known: knownOf() });
    const shown = name.slice(0, MAX_IGNORED_LENGTH);
    const inside = withoutPositions(path);
    this.#add(inside === '' ? shown : `${inside}.${shown}`);
  }

  #add(name: string): void {
    this.#names ??= new Set();
    if (!this.#isFull) this.#names.add(name);
  }
}

const withoutPositions = (path: string): string =>
  path.replace(/^(?:entities|operations)\[[^\]]*\]+\.?/, '').replace(/\[[^\]]*\]+/g, '');

/** The id, and members of responses that are no attributes: clients may send them back. */
export const isSystemMember = (name: string): boolean => name === 'id' || name.startsWith('_');

/** Whether a member that is no attribute of the model has a meaning. */
function isOther(model: Model, entity: Entity, name: string): boolean {
  if (isSystemMember(name)) return true;
  if (entity.kind === 'embeddable') return false;
  if (name.startsWith('+'))
    return dynamicAttributesOf(model, entity).some((attribute) => dynamicMemberOf(attribute) === name);
  // Parts of a composite key may be members of the instance itself.
  return hasCompositeKey(entity) && keyPartsOf(model, entity).some((part) => part.name === name);
}

/**
 * A copy of an object with the members that have a meaning and as many others as are reported, without those of
 * `omitted`. Objects of tens of thousands of members are slow to copy and to iterate.
 */
export function shortCopy(model: Model, entity: Entity, json: ExactObject, omitted: readonly string[]): ExactObject {
  const members: [string, ExactJson][] = [];
  let others = 0;
  for (const name in json) {
    if (omitted.includes(name)) continue;
    if (!entity.attributes.has(name)) {
      if (others > MAX_IGNORED && !isOther(model, entity, name)) continue;
      others += 1;
    }
    members.push([name, json[name] as ExactJson]);
  }
  // Not by assignment: `__proto__` is a member like any other.
  return Object.fromEntries(members);
}
