-- a limit of zero returns no rows
-- $1 = 0
-- $2 = 0

SELECT row_to_json(root)::text AS "json", page."id"::text AS "position_0"
FROM (
  SELECT
    t0."name" AS "name",
    t0."owner_id" AS "owner_id",
    t0."id" AS "id",
    t0."version" AS "version",
    t0."created_date" AS "created_date",
    t0."created_by" AS "created_by",
    t0."last_modified_date" AS "last_modified_date",
    t0."last_modified_by" AS "last_modified_by",
    t0."deleted_date" AS "deleted_date",
    t0."deleted_by" AS "deleted_by",
    t0."color" AS "color",
    t0."weight" AS "weight",
    t0."ratio" AS "ratio",
    t0."serial" AS "serial",
    t0."age" AS "age",
    t0."alive" AS "alive",
    t0."born" AS "born",
    t0."seen_at" AS "seen_at",
    t0."chipped_at" AS "chipped_at",
    t0."feed_at" AS "feed_at",
    t0."chip" AS "chip",
    t0."photo" AS "photo"
  FROM "t"."pet" t0
  WHERE t0."deleted_date" IS NULL
  ORDER BY t0."id"
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
CROSS JOIN LATERAL (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t1."name"::text, '')
          FROM "t"."owner" t1
          WHERE t1."id" = page."owner_id"
          LIMIT 1
        ),
        ''
      )
    ) AS "_instanceName",
    page."id" AS "id",
    page."version" AS "version",
    to_char(page."created_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "createdDate",
    page."created_by" AS "createdBy",
    to_char(page."last_modified_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "lastModifiedDate",
    page."last_modified_by" AS "lastModifiedBy",
    to_char(page."deleted_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "deletedDate",
    page."deleted_by" AS "deletedBy",
    page."name" AS "name",
    CASE page."color" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END AS "color",
    page."weight" AS "weight",
    CASE
      WHEN page."ratio" = trunc(page."ratio")
        AND abs(page."ratio") < 1e15 THEN (page."ratio"::text || '.0')::json
      ELSE to_json(page."ratio")
    END AS "ratio",
    page."serial" AS "serial",
    page."age" AS "age",
    page."alive" AS "alive",
    page."born" AS "born",
    to_char(page."seen_at", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "seenAt",
    to_char(page."chipped_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "chippedAt",
    page."feed_at" AS "feedAt",
    page."chip" AS "chip",
    translate(encode(page."photo", 'base64'), E'\n', '') AS "photo",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Owner'::text AS "_entityName",
          COALESCE(t2."name"::text, '') AS "_instanceName",
          t2."id" AS "id",
          t2."version" AS "version",
          to_char(t2."created_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "createdDate",
          t2."created_by" AS "createdBy",
          to_char(t2."last_modified_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "lastModifiedDate",
          t2."last_modified_by" AS "lastModifiedBy",
          to_char(t2."deleted_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "deletedDate",
          t2."deleted_by" AS "deletedBy",
          t2."name" AS "name",
          CASE t2."level" WHEN 1 THEN 'LOW' WHEN 2 THEN 'HIGH' END AS "level",
          t2."salary" AS "salary",
          CASE
            WHEN (t2."address_country" IS NOT NULL OR t2."address_city" IS NOT NULL) THEN (
              SELECT row_to_json(j2)
              FROM (SELECT t2."address_country" AS "country", t2."address_city" AS "city") j2
            )
          END AS "address"
        FROM "t"."owner" t2
        WHERE t2."id" = page."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner",
    NULL::text AS "doubleAge",
    (
      SELECT row_to_json(j3)
      FROM (
        SELECT
          't_Pet'::text AS "_entityName",
          (
            COALESCE(page."name"::text, '')
            || ' of '::text
            || COALESCE(
              (
                SELECT COALESCE(t3."name"::text, '')
                FROM "t"."owner" t3
                WHERE t3."id" = page."owner_id"
                LIMIT 1
              ),
              ''
            )
          ) AS "_instanceName",
          page."id" AS "id",
          page."age" AS "age"
      ) j3
    ) AS "$inputs"
) root
