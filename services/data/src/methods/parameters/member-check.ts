import type { UnknownInside } from '@lintel/contracts';
import { type DynamicAttribute, dynamicAttributesOf, dynamicMemberOf, type Entity, type Model } from '@lintel/metadata';
import { type ExactObject, SECURITY_TOKEN } from '@lintel/query';
import type { Access } from '@lintel/security';

/** Members of every instance that are no attributes. */
const SYSTEM: ReadonlySet<string> = new Set(['id', '_entityName', '_instanceName', SECURITY_TOKEN]);

/** More are not reported to a client. */
const MAX_FOUND = 100;

/** What the check needs of the rights of the caller; without it everything may be viewed. */
type ViewedAttributes = Pick<Access, 'mayView'>;

/**
 * Finds the members without a meaning inside of one parameter (contract/conventions.md#unknown), from one object to the
 * next. Attributes that the caller may not view reach the method, so they have a meaning; members inside of them are not
 * looked at, and they are not proposed.
 */
export class MemberCheck {
  readonly #found: UnknownInside[];
  readonly #access: ViewedAttributes | undefined;
  /** Paths are made for what is reported only. */
  readonly #path: () => string;

  /**
   * @param path of the parameter
   * @param found takes the members, the first 100 of them
   */
  constructor(path: () => string, found: UnknownInside[], access?: ViewedAttributes) {
    this.#path = path;
    this.#found = found;
    this.#access = access;
  }

  /** The check of an item of a list. */
  at(index: number): MemberCheck {
    return new MemberCheck(() => `${this.#path()}[${index}]`, this.#found, this.#access);
  }

  /** The check of a member of a record. */
  of(name: string): MemberCheck {
    return new MemberCheck(() => `${this.#path()}.${name}`, this.#found, this.#access);
  }

  /** The check of the value of an attribute; undefined if the caller may not view it. */
  ofAttribute(entity: Entity, name: string): MemberCheck | undefined {
    return this.#access?.mayView(entity.name, name) === false ? undefined : this.of(name);
  }

  /** Checks the members of an instance or of an embedded object. */
  instance(model: Model, entity: Entity, json: ExactObject): void {
    let dynamic: readonly DynamicAttribute[] | undefined;
    for (const name in json) {
      if (entity.attributes.has(name) || SYSTEM.has(name)) continue;
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
    if (this.#found.length < MAX_FOUND) this.#found.push({ inside: this.#path(), name, known: knownOf() });
    return this.#found.length < MAX_FOUND;
  }
}
