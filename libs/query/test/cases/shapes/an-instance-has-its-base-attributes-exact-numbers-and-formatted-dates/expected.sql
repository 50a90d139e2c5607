-- an instance has its base attributes, exact numbers and formatted dates
-- $1 = "00000000-0000-4000-8000-000000000011"

SELECT row_to_json(root)::text AS "json", t0."version"::text AS "version"
FROM "t"."pet" t0
CROSS JOIN LATERAL (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(t0."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t1."name"::text, '')
          FROM "t"."owner" t1
          WHERE t1."id" = t0."owner_id"
          LIMIT 1
        ),
        ''
      )
    ) AS "_instanceName",
    t0."id" AS "id",
    t0."version" AS "version",
    to_char(t0."created_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "createdDate",
    t0."created_by" AS "createdBy",
    to_char(t0."last_modified_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "lastModifiedDate",
    t0."last_modified_by" AS "lastModifiedBy",
    to_char(t0."deleted_date", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "deletedDate",
    t0."deleted_by" AS "deletedBy",
    t0."name" AS "name",
    CASE t0."color" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END AS "color",
    t0."weight" AS "weight",
    CASE
      WHEN t0."ratio" = trunc(t0."ratio")
        AND abs(t0."ratio") < 1e15 THEN (t0."ratio"::text || '.0')::json
      ELSE to_json(t0."ratio")
    END AS "ratio",
    t0."serial" AS "serial",
    t0."age" AS "age",
    t0."alive" AS "alive",
    t0."born" AS "born",
    to_char(t0."seen_at", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "seenAt",
    to_char(t0."chipped_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "chippedAt",
    t0."feed_at" AS "feedAt",
    t0."chip" AS "chip",
    translate(encode(t0."photo", 'base64'), E'\n', '') AS "photo",
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
        WHERE t2."id" = t0."owner_id"
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
            COALESCE(t0."name"::text, '')
            || ' of '::text
            || COALESCE(
              (
                SELECT COALESCE(t3."name"::text, '')
                FROM "t"."owner" t3
                WHERE t3."id" = t0."owner_id"
                LIMIT 1
              ),
              ''
            )
          ) AS "_instanceName",
          t0."id" AS "id",
          t0."age" AS "age"
      ) j3
    ) AS "$inputs"
) root
WHERE t0."id" = $1::uuid AND t0."deleted_date" IS NULL
