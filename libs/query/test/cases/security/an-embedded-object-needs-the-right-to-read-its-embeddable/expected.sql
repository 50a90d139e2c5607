-- an embedded object needs the right to read its embeddable
-- $1 = "00000000-0000-4000-8000-000000000001"

SELECT row_to_json(root)::text AS "json", t0."version"::text AS "version"
FROM "t"."owner" t0
CROSS JOIN LATERAL (
  SELECT
    't_Owner'::text AS "_entityName",
    COALESCE(t0."name"::text, '') AS "_instanceName",
    t0."id" AS "id",
    t0."version" AS "version",
    to_char(t0."created_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "createdDate",
    t0."created_by" AS "createdBy",
    to_char(t0."last_modified_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "lastModifiedDate",
    t0."last_modified_by" AS "lastModifiedBy",
    to_char(t0."deleted_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "deletedDate",
    t0."deleted_by" AS "deletedBy",
    t0."name" AS "name",
    CASE t0."level" WHEN 1 THEN 'LOW' WHEN 2 THEN 'HIGH' END AS "level",
    t0."salary" AS "salary"
) root
WHERE t0."id" = $1::uuid AND t0."deleted_date" IS NULL
