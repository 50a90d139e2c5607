import { MAX_IGNORED, MAX_IGNORED_LENGTH } from '@lintel/contracts';
import { PlatformError, suggestion } from '@lintel/errors';
import { dynamicAttributesOf, dynamicMemberOf, type Entity, type Model } from '@lintel/metadata';
import { type ExactObject, hasCompositeKey, keyPartsOf, SECURITY_TOKEN } from '@lintel/query';

/** Members of every object that are no attributes. */
const SYSTEM: ReadonlySet<string> = new Set(['id', '_entityName', '_instanceName', SECURITY_TOKEN]);

/**
 * The members of the objects of a body that the model does not have (contract/conventions.md#unknown). Attributes that
 * the caller may not view count as unknown, so that no response shows that they exist.
 */
export class UnknownNames {
  /** Paths without positions. */
  readonly names = new Set<string>();
  readonly #model: Model;
  readonly #mayView: (entity: string, attribute: string) => boolean;
  readonly #refuses: boolean;

  /** @param refuses whether the first unknown name is an error */
  constructor(model: Model, mayView: (entity: string, attribute: string) => boolean, refuses: boolean) {
    this.#model = model;
    this.#mayView = mayView;
    this.#refuses = refuses;
  }

  /**
   * Checks the members of one object.
   *
   * @param path of the object in the body
   * @throws PlatformError REQ_UNKNOWN_MEMBER
   */
  check(entity: Entity, json: ExactObject, path: string): void {
    for (const name in json) {
      if (entity.attributes.has(name) ? this.#mayView(entity.name, name) : this.#isOther(entity, name)) continue;
      this.#note(entity, name, path);
    }
  }

  #isOther(entity: Entity, name: string): boolean {
    if (SYSTEM.has(name)) return true;
    if (entity.kind === 'embeddable') return false;
    if (name.startsWith('+'))
      return dynamicAttributesOf(this.#model, entity).some((attribute) => dynamicMemberOf(attribute) === name);
    // Parts of a composite key may be members of the instance itself.
    return hasCompositeKey(entity) && keyPartsOf(this.#model, entity).some((part) => part.name === name);
  }

  #note(entity: Entity, name: string, path: string): void {
    const shown = name.slice(0, MAX_IGNORED_LENGTH);
    if (this.#refuses) {
      const known = [...entity.attributes.keys()].filter((one) => this.#mayView(entity.name, one));
      const at = path === '' ? shown : `${path}.${shown}`;
      throw new PlatformError('REQ_UNKNOWN_MEMBER', `Unknown member '${at}'${suggestion(shown, known)}`);
    }
    // One more shows that there are others.
    if (this.names.size > MAX_IGNORED) return;
    const inside = path.replace(/\[[^\]]*\]+/g, '').replace(/^entities\.?/, '');
    this.names.add(inside === '' ? shown : `${inside}.${shown}`);
  }
}
