import { defineMigration } from '@lintel/application';

export const migration1796046653796 = defineMigration({
  name: '1796046653796-search',
  up: ['CREATE EXTENSION IF NOT EXISTS "pg_trgm"'],
  down: [],
});
