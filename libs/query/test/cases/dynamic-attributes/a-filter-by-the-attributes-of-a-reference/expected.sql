-- a filter by the attributes of a reference
-- $1 = "00000000-0000-4000-9000-000000000012"
-- $2 = true
-- $3 = 100
-- $4 = 0

SELECT row_to_json(root)::text AS "json"
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
    page."name" AS "name",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Owner'::text AS "_entityName",
          COALESCE(t4."name"::text, '') AS "_instanceName",
          t4."id" AS "id",
          t4."name" AS "name"
        FROM "t"."owner" t4
        WHERE t4."id" = page."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
    WHERE t0."deleted_date" IS NULL
      AND EXISTS (
        SELECT 1
        FROM "dynat"."attribute_value" t2
        WHERE t2."owner_key" = t1."id"::text
          AND t2."attribute_id" = $1::uuid
          AND t2."boolean_value" = $2::boolean
      )
    ORDER BY t0."name"
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
