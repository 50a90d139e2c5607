import type { SchemaMigration } from '../schema-migration.ts';

/** Saved views of lists: what a page shows of the instances of an entity, of one user or shared. */
export const LIST_VIEWS_MIGRATION: SchemaMigration = {
  name: '1763683200034-platform-list-views',
  up: [
    `CREATE TABLE sys.list_view (
  id uuid NOT NULL,
  owner text NOT NULL,
  entity_name text NOT NULL,
  name text NOT NULL,
  content text NOT NULL,
  is_shared boolean NOT NULL,
  role_code text,
  CONSTRAINT pk_list_view PRIMARY KEY (id)
)`,
    'CREATE UNIQUE INDEX uq_list_view__owner__entity_name__name ON sys.list_view (owner, entity_name, name)',
    'CREATE INDEX ix_list_view__entity_name ON sys.list_view (entity_name) WHERE is_shared',
  ],
  down: ['DROP TABLE sys.list_view'],
};
