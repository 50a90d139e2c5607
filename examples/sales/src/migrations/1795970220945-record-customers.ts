import { defineMigration } from '@lintel/application';

export const migration1795970220945 = defineMigration({
  name: '1795970220945-record-customers',
  up: [
    "CREATE TRIGGER history_insert AFTER INSERT ON \"sales\".\"customer\" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION history.record('{id}', '{}', '{}', '{}', '{version,created_date,created_by,last_modified_date,last_modified_by}')",
    "CREATE TRIGGER history_update AFTER UPDATE ON \"sales\".\"customer\" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION history.record('{id}', '{}', '{}', '{}', '{version,created_date,created_by,last_modified_date,last_modified_by}')",
    "CREATE TRIGGER history_delete AFTER DELETE ON \"sales\".\"customer\" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION history.record('{id}', '{}', '{}', '{}', '{version,created_date,created_by,last_modified_date,last_modified_by}')",
    "CREATE TRIGGER history_insert AFTER INSERT ON \"sales\".\"customer_tags\" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION history.record('{customer_id,position}', '{customer_id}', '{}', '{}', '{}')",
    "CREATE TRIGGER history_update AFTER UPDATE ON \"sales\".\"customer_tags\" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION history.record('{customer_id,position}', '{customer_id}', '{}', '{}', '{}')",
    "CREATE TRIGGER history_delete AFTER DELETE ON \"sales\".\"customer_tags\" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION history.record('{customer_id,position}', '{customer_id}', '{}', '{}', '{}')",
  ],
  down: [
    'DROP TRIGGER "history_delete" ON "sales"."customer_tags"',
    'DROP TRIGGER "history_update" ON "sales"."customer_tags"',
    'DROP TRIGGER "history_insert" ON "sales"."customer_tags"',
    'DROP TRIGGER "history_delete" ON "sales"."customer"',
    'DROP TRIGGER "history_update" ON "sales"."customer"',
    'DROP TRIGGER "history_insert" ON "sales"."customer"',
  ],
});
