import type { Entity, Model } from '@lintel/metadata';
import { findOwnerships, type Ownership } from './ownerships.ts';
import { StatementNames } from './statement-names.ts';
import { StoredEntity } from './stored-entity.ts';

/**
 * One version of the model as writes need it: for each entity its columns, tables, statements and references. A request
 * is parsed and saved with one of them.
 */
export class WriteModel {
  readonly model: Model;
  readonly statementNames = new StatementNames();
  readonly #entities = new Map<string, StoredEntity>();
  #ownerships: ReadonlyMap<string, readonly Ownership[]> | undefined;

  constructor(model: Model) {
    this.model = model;
  }

  of(entity: Entity): StoredEntity {
    const known = this.#entities.get(entity.name);
    if (known !== undefined) return known;
    const stored = new StoredEntity(this.model, entity);
    this.#entities.set(entity.name, stored);
    return stored;
  }

  /** Compositions by the name of the entity they consist of. */
  get ownerships(): ReadonlyMap<string, readonly Ownership[]> {
    this.#ownerships ??= findOwnerships(this.model);
    return this.#ownerships;
  }
}

const WRITE_MODELS = new WeakMap<Model, WriteModel>();

/** The write model of a version of the model: always the same one. */
export function writeModelOf(model: Model): WriteModel {
  const known = WRITE_MODELS.get(model) ?? new WriteModel(model);
  WRITE_MODELS.set(model, known);
  return known;
}
