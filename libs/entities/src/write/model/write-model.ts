import { type Entity, type Model, type Ownership, ownershipsOf } from '@lintel/metadata';
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
  readonly #ownershipsOf = new Map<string, readonly Ownership[]>();

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

  /** The compositions that consist of instances of an entity, those of its ancestors included. */
  ownershipsOf(entity: Entity): readonly Ownership[] {
    const known = this.#ownershipsOf.get(entity.name);
    if (known !== undefined) return known;
    const found = ownershipsOf(this.model, entity);
    this.#ownershipsOf.set(entity.name, found);
    return found;
  }
}

const WRITE_MODELS = new WeakMap<Model, WriteModel>();

/** The write model of a version of the model: always the same one. */
export function writeModelOf(model: Model): WriteModel {
  const known = WRITE_MODELS.get(model) ?? new WriteModel(model);
  WRITE_MODELS.set(model, known);
  return known;
}
