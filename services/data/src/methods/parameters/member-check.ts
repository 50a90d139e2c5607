import type { IgnoredPart, UnknownInside } from '@lintel/contracts';
import { isSystemMember } from '@lintel/entities';
import { type DynamicAttribute, dynamicAttributesOf, dynamicMemberOf, type Entity, type Model } from '@lintel/metadata';
import type { ExactObject, TimeReading } from '@lintel/query';
import type { Access } from '@lintel/security';

/** More are not reported to a client. */
const MAX_FOUND = 100;

/** What the check needs of the rights of the caller; without it everything may be viewed. */
type ViewedAttributes = Pick<Access, 'mayView'>;

/**
 * Finds the members without a meaning inside of one parameter (contract/conventions.md#unknown), from one object to the
 * next. Attributes that the caller may not view reach the method, so they have a meaning; members inside of them are not
 * looked at, and they are not proposed.
 */
export class MemberCheck implements TimeReading {
  readonly offsets: TimeReading['offsets'];
  readonly #found: UnknownInside[];
  readonly #access: ViewedAttributes | undefined;
  /** Paths are made for what is reported only. */
  readonly #path: () => string;

  /**
   * @param path of the parameter
   * @param found takes the members, the first 100 of them, and parts of values without an effect
   * @param offsets what happens to offsets of date-times
   */
  constructor(path: () => string, found: UnknownInside[], access?: ViewedAttributes, offsets?: TimeReading['offsets']) {
    this.offsets = offsets;
    this.#path = path;
    this.#found = found;
    this.#access = access;
  }

  /** The check of an item of a list. */
  at(index: number): MemberCheck {
    return new MemberCheck(() => `${this.#path()}[${index}]`, this.#found, this.#access, this.offsets);
  }

  /** The check of a member of a record. */
  of(name: string): MemberCheck {
    return new MemberCheck(() => `${this.#path()}.${name}`, this.#found, this.#access, this.offsets);
  }

  /** The check of the value of an attribute; it reports nothing if the caller may not view the attribute. */
  ofAttribute(entity: Entity, name: string): MemberCheck {
    const isHidden = this.#access?.mayView(entity.name, name) === false;
    return isHidden ? new MemberCheck(() => '', [], undefined, this.offsets) : this.of(name);
  }

  /** Notes a part of the value at this place that has no effect. */
  note(part: IgnoredPart): void {
    const path = this.#path();
    const at = path.lastIndexOf('.') + 1;
    const [inside, name] = [path.slice(0, Math.max(0, at - 1)), path.slice(at).replace(/\[\d+\]/g, '')];
    this.#add({ inside, name, known: [], part });
  }

  /** Checks the members of an instance or of an embedded object. */
  instance(model: Model, entity: Entity, json: ExactObject): void {
    let dynamic: readonly DynamicAttribute[] | undefined;
    for (const name in json) {
      if (entity.attributes.has(name) || isSystemMember(name)) continue;
      if (name.startsWith('+')) {
        dynamic ??= dynamicAttributesOf(model, entity);
        if (dynamic.some((attribute) => dynamicMemberOf(attribute) === name)) continue;
      }
      if (!this.#note(name, () => this.#viewedOf(entity))) return;
    }
  }

  /** Checks the members of a record. */
  record(json: ExactObject, known: readonly string[]): void {
    for (const name in json) if (!known.includes(name) && !this.#note(name, () => known)) return;
  }

  #viewedOf(entity: Entity): readonly string[] {
    return [...entity.attributes.keys()].filter((name) => this.#access?.mayView(entity.name, name) !== false);
  }

  /** @returns whether there is room for more */
  #note(name: string, knownOf: () => readonly string[]): boolean {
    this.#add({ inside: this.#path(), name, known: knownOf() });
    return this.#found.length < MAX_FOUND;
  }

  #add(found: UnknownInside): void {
    if (this.#found.length < MAX_FOUND) this.#found.push(found);
  }
}
