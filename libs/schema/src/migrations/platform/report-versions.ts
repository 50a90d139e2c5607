/**
 * Versions of the reports of the database (contract/reports.md#versions). Triggers at the end of a transaction keep
 * the state of each report that it changed, by any program, and delete the oldest versions. The files of their
 * templates are in `released_file` until the data service has examined whether anything still refers to them.
 */
export const REPORT_VERSIONS: readonly string[] = [
  `CREATE TABLE report.report_version (
  report_id uuid NOT NULL,
  number integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  username varchar(255),
  comment varchar(1000),
  content jsonb NOT NULL,
  CONSTRAINT pk_report_version PRIMARY KEY (report_id, number),
  CONSTRAINT fk_report_version__report_id FOREIGN KEY (report_id) REFERENCES report.report (id) ON DELETE CASCADE
)`,
  // One row: how many versions of a report are kept. The data service writes its setting there.
  'CREATE TABLE report.version_limit (kept integer NOT NULL)',
  'INSERT INTO report.version_limit (kept) VALUES (50)',
  `CREATE TABLE report.released_file (
  id bigint GENERATED ALWAYS AS IDENTITY,
  file_ref text NOT NULL,
  released_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT pk_released_file PRIMARY KEY (id)
)`,
  `CREATE FUNCTION report.version_content(report uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'name', r.name,
    'code', r.code,
    'localeNames', r.locale_names,
    'description', r.description,
    'group', r.group_id,
    'restAccess', r.rest_access,
    'definition', r.definition,
    'templates', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'code', t.code, 'reportOutputType', t.report_output_type, 'isDefault', t.is_default,
        'name', t.name, 'content', t.content, 'outputNamePattern', t.output_name_pattern
      ) ORDER BY t.code), '[]'::jsonb)
      FROM report.report_template t WHERE t.report_id = r.id AND t.deleted_date IS NULL))
  FROM report.report r WHERE r.id = report
$$`,
  // The lock on the report orders transactions that change different templates of it.
  `CREATE FUNCTION report.keep_version_of(report uuid, changed_by varchar) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  saved_version integer;
  current_content jsonb;
  latest report.report_version%ROWTYPE;
BEGIN
  SELECT r.version INTO saved_version FROM report.report r
  WHERE r.id = report AND r.deleted_date IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  current_content := report.version_content(report);
  SELECT v.* INTO latest FROM report.report_version v WHERE v.report_id = report ORDER BY v.number DESC LIMIT 1;
  IF latest.content = current_content THEN
    RETURN;
  END IF;
  INSERT INTO report.report_version (report_id, number, username, content)
  VALUES (report, greatest(coalesce(latest.number, 0) + 1, saved_version), changed_by, current_content);
  DELETE FROM report.report_version v WHERE v.report_id = report AND v.number IN (
    SELECT o.number FROM report.report_version o WHERE o.report_id = report
    ORDER BY o.number DESC OFFSET (SELECT kept FROM report.version_limit LIMIT 1));
END $$`,
  `CREATE FUNCTION report.keep_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'report' THEN
    PERFORM report.keep_version_of(NEW.id, coalesce(NEW.last_modified_by, NEW.created_by));
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM report.keep_version_of(OLD.report_id, NULL) WHERE TG_OP = 'DELETE' OR OLD.report_id <> NEW.report_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM report.keep_version_of(NEW.report_id, coalesce(NEW.deleted_by, NEW.last_modified_by, NEW.created_by));
  END IF;
  RETURN NULL;
END $$`,
  `CREATE FUNCTION report.release_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report.released_file (file_ref)
  SELECT DISTINCT t ->> 'content' FROM jsonb_array_elements(OLD.content -> 'templates') t;
  RETURN NULL;
END $$`,
  `CREATE CONSTRAINT TRIGGER report_keep_version AFTER INSERT OR UPDATE ON report.report
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION report.keep_version()`,
  `CREATE CONSTRAINT TRIGGER report_template_keep_version AFTER INSERT OR UPDATE OR DELETE ON report.report_template
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION report.keep_version()`,
  `CREATE TRIGGER report_version_release_files AFTER DELETE ON report.report_version
FOR EACH ROW EXECUTE FUNCTION report.release_files()`,
];
