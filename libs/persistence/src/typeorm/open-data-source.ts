import type { Model } from '@lintel/metadata';
import type { DataSource } from 'typeorm';
import type { OrmMetadata } from './bound-data-source.ts';
import type { OrmSession } from './orm-session.ts';

export type { DataSource };

/** By the entities of a model: attributes that administrators define are not part of it and may change at any time. */
const METADATA = new WeakMap<Model['entities'], Promise<OrmMetadata>>();

/**
 * Opens a data source of TypeORM for one call. The first call loads TypeORM and builds the metadata of the model.
 *
 * @param session runs its statements, and limits its lifetime
 */
export async function openDataSource(model: Model, session: OrmSession): Promise<DataSource> {
  session.assertOpen();
  const { BoundDataSource } = await import('./bound-data-source.ts');
  const metadata = METADATA.get(model.entities) ?? BoundDataSource.metadataOf(model);
  METADATA.set(model.entities, metadata);
  return BoundDataSource.open(model, await metadata, session);
}
