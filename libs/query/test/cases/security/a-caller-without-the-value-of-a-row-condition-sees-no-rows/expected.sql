-- a caller without the value of a row condition sees no rows
-- $1 = null
-- $2 = 100
-- $3 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Owner'::text AS "_entityName",
    COALESCE(page."name"::text, '') AS "_instanceName",
    page."id" AS "id",
    page."version" AS "version",
    to_char(page."created_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "createdDate",
    page."created_by" AS "createdBy",
    to_char(page."last_modified_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "lastModifiedDate",
    page."last_modified_by" AS "lastModifiedBy",
    to_char(page."deleted_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "deletedDate",
    page."deleted_by" AS "deletedBy",
    page."name" AS "name",
    CASE page."level" WHEN 1 THEN 'LOW' WHEN 2 THEN 'HIGH' END AS "level",
    page."salary" AS "salary",
    CASE
      WHEN (page."address_country" IS NOT NULL OR page."address_city" IS NOT NULL) THEN (
        SELECT row_to_json(j1)
        FROM (SELECT page."address_country" AS "country", page."address_city" AS "city") j1
      )
    END AS "address"
  FROM (
    SELECT
      t0."name" AS "name",
      t0."id" AS "id",
      t0."version" AS "version",
      t0."created_date" AS "created_date",
      t0."created_by" AS "created_by",
      t0."last_modified_date" AS "last_modified_date",
      t0."last_modified_by" AS "last_modified_by",
      t0."deleted_date" AS "deleted_date",
      t0."deleted_by" AS "deleted_by",
      t0."level" AS "level",
      t0."salary" AS "salary",
      t0."address_country" AS "address_country",
      t0."address_city" AS "address_city"
    FROM "t"."owner" t0
    WHERE t0."deleted_date" IS NULL AND t0."address_country" = $1::text
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
