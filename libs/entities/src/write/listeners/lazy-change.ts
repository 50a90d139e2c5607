import type { EntityChange, EntityValues } from '@lintel/application';

type State = EntityValues | undefined;

export interface ChangeParts extends Pick<EntityChange, 'entity' | 'id' | 'change' | 'withChildren'> {
  readonly before: () => State;
  readonly after: () => State;
}

/**
 * The change of an instance as listeners get it. Each state is made when a listener reads it: many read one of them, or
 * none.
 *
 * `before` and `after` are own members, so that copies have them, but all changes share their getters: V8 gives each
 * object literal with getters a hidden class of its own, which keeps everything that the getters refer to in memory
 * until the next collection of the old generation.
 */
export class LazyChange implements EntityChange {
  readonly entity: string;
  readonly id: unknown;
  readonly change: EntityChange['change'];
  readonly withChildren: boolean;
  declare readonly before: State;
  declare readonly after: State;
  #before: State | (() => State);
  #after: State | (() => State);

  static readonly #BEFORE: PropertyDescriptor & ThisType<LazyChange> = {
    enumerable: true,
    configurable: true,
    get() {
      if (typeof this.#before === 'function') this.#before = this.#before();
      return this.#before;
    },
  };

  static readonly #AFTER: PropertyDescriptor & ThisType<LazyChange> = {
    enumerable: true,
    configurable: true,
    get() {
      if (typeof this.#after === 'function') this.#after = this.#after();
      return this.#after;
    },
  };

  constructor({ entity, id, change, withChildren, before, after }: ChangeParts) {
    this.entity = entity;
    this.id = id;
    this.change = change;
    this.withChildren = withChildren;
    this.#before = before;
    this.#after = after;
    Object.defineProperty(this, 'before', LazyChange.#BEFORE);
    Object.defineProperty(this, 'after', LazyChange.#AFTER);
  }
}
