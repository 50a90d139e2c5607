import type { Model } from '@lintel/metadata';
import type { DataSource } from 'typeorm';
import type { OrmMetadata } from './bound-data-source.ts';
import type { OrmSession } from './orm-session.ts';

export type { DataSource };

/** By the entities of a model: those that administrators define are no part of it, and may change at any time. */
const METADATA = new WeakMap<Model['entities'], Promise<OrmMetadata>>();

/**
 * Opens a data source of TypeORM for one call. TypeORM is loaded, and the metadata of the model are built, when the
 * first call asks for one.
 *
 * @param session where its statements run, and for how long
 */
export async function openDataSource(model: Model, session: OrmSession): Promise<DataSource> {
  session.assertOpen();
  const { BoundDataSource } = await import('./bound-data-source.ts');
  const metadata = METADATA.get(model.entities) ?? BoundDataSource.metadataOf(model);
  METADATA.set(model.entities, metadata);
  return BoundDataSource.open(model, await metadata, session);
}
