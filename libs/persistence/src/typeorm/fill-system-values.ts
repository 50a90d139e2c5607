import { type Entity, type Model, storingEntity, tableOf } from '@lintel/metadata';
import type { EntityMetadata, EntitySubscriberInterface } from 'typeorm';
import { CONCRETE_ENTITY } from './entity-schemas.ts';
import type { OrmSession } from './orm-session.ts';

type Values = Record<string, unknown>;

/**
 * Sets the values that the platform sets in everything that it writes: generated ids, defaults, and audit attributes.
 * TypeORM itself sets versions and times of deletion.
 */
export class FillSystemValues implements EntitySubscriberInterface {
  readonly #model: Model;
  readonly #session: OrmSession;

  constructor(model: Model, session: OrmSession) {
    this.#model = model;
    this.#session = session;
  }

  beforeInsert({ metadata, entity }: { readonly metadata: EntityMetadata; readonly entity: Values }): void {
    const written = this.#writable(metadata);
    if (written === undefined || entity === undefined) return;
    const { key, system } = written;
    if (key?.generation === 'uuid') entity[key.attribute] ??= this.#session.newId();
    for (const attribute of written.attributes.values())
      if ('defaultValue' in attribute && attribute.defaultValue !== undefined)
        if (attribute.declaredBy === written.name && entity[attribute.name] === undefined)
          entity[attribute.name] = attribute.defaultValue;
    if (written.ancestor === undefined && written.descendants.length > 0)
      entity[CONCRETE_ENTITY] ??= written.discriminatorValue ?? written.name;
    if (this.#declares(written, system.createdDate)) entity[system.createdDate] = this.#session.now();
    if (this.#declares(written, system.createdBy)) entity[system.createdBy] = this.#session.username;
    this.#noteChange(written, entity);
  }

  beforeUpdate({
    metadata,
    entity,
  }: {
    readonly metadata: EntityMetadata;
    readonly entity?: Values | undefined;
  }): void {
    const written = this.#writable(metadata);
    if (written !== undefined && entity !== undefined) this.#noteChange(written, entity);
  }

  beforeRemove({ metadata }: { readonly metadata: EntityMetadata }): void {
    this.#writable(metadata);
  }

  beforeSoftRemove({ metadata }: { readonly metadata: EntityMetadata }): void {
    this.#writable(metadata);
  }

  beforeRecover({ metadata }: { readonly metadata: EntityMetadata }): void {
    this.#writable(metadata);
  }

  #noteChange(entity: Entity, values: Values): void {
    const { lastModifiedDate, lastModifiedBy } = entity.system;
    if (this.#declares(entity, lastModifiedDate)) values[lastModifiedDate] = this.#session.now();
    if (this.#declares(entity, lastModifiedBy)) values[lastModifiedBy] = this.#session.username;
  }

  #declares(entity: Entity, attribute: string | undefined): attribute is string {
    return attribute !== undefined && entity.attributes.get(attribute)?.declaredBy === entity.name;
  }

  /** @throws Error for entities of the platform; undefined for tables that belong to no entity */
  #writable({ name, tableName }: EntityMetadata): Entity | undefined {
    const entity = this.#model.entities.get(name);
    const owner = entity?.name ?? name.split('.')[0] ?? '';
    if (this.#session.isGuarded(owner))
      throw new Error(`${owner} is written by \`data\` only, not by TypeORM (${tableName})`);
    if (entity !== undefined && storingEntity(this.#model, entity) !== entity)
      throw new Error(`${name} is one of several entities of ${tableName}: \`data\` writes it, not TypeORM`);
    return entity === undefined || tableOf(entity).name !== tableName ? undefined : entity;
  }
}
