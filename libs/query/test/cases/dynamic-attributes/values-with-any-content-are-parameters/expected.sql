-- values with any content are parameters
-- $1 = "00000000-0000-4000-9000-000000000001"
-- $2 = "' OR '1'='1"
-- $3 = "%\\%\\_\\\\'; DROP TABLE dynat.attribute\\_value; --%"
-- $4 = 100
-- $5 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t2."name"::text, '')
          FROM "t"."owner" t2
          WHERE t2."id" = page."owner_id"
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
          COALESCE(t3."name"::text, '') AS "_instanceName",
          t3."id" AS "id",
          t3."name" AS "name"
        FROM "t"."owner" t3
        WHERE t3."id" = page."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    WHERE t0."deleted_date" IS NULL
      AND (
        EXISTS (
          SELECT 1
          FROM "dynat"."attribute_value" t1
          WHERE t1."owner_key" = t0."id"::text
            AND t1."attribute_id" = $1::uuid
            AND (
              t1."string_value" = $2::text OR lower(t1."string_value"::text) LIKE lower($3::text)
            )
        )
      )
    ORDER BY t0."name"
    LIMIT $4::bigint
    OFFSET $5::bigint
  ) page
) root
