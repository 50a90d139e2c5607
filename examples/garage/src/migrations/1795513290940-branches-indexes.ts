import { defineMigration } from '@lintel/application';

export const migration1795513290940 = defineMigration({
  name: '1795513290940-branches-indexes',
  up: [
    'CREATE INDEX CONCURRENTLY "ix_user__branch_id" ON "sec"."user" ("branch_id")',
    'CREATE INDEX CONCURRENTLY "ix_job__branch_id" ON "garage"."job" ("branch_id")',
  ],
  down: ['DROP INDEX CONCURRENTLY "garage"."ix_job__branch_id"', 'DROP INDEX CONCURRENTLY "sec"."ix_user__branch_id"'],
});
