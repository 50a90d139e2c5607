import type { EntityListener } from '@lintel/application';
import { type Entity, lineageOf, type Model } from '@lintel/metadata';

/** The entity listeners of a service; the lookup for an entity is done once. */
export class ListenerIndex {
  readonly #all: readonly EntityListener[];
  readonly #byEntity = new Map<string, readonly EntityListener[]>();

  constructor(all: readonly EntityListener[]) {
    this.#all = all;
  }

  /** The listeners of an entity and its ancestors, in the order of the application. Ancestors are the same in all versions of a model. */
  of(model: Model, entity: Entity): readonly EntityListener[] {
    const known = this.#byEntity.get(entity.name);
    if (known !== undefined) return known;
    const names = new Set(lineageOf(model, entity).map(({ name }) => name));
    const found = this.#all.filter((listener) => names.has(listener.entity));
    this.#byEntity.set(entity.name, found);
    return found;
  }
}
