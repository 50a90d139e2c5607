-- hidden members do not match
-- $1 = "r"
-- $2 = "Mia"
-- $3 = 100
-- $4 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Owner'::text AS "_entityName",
    COALESCE(page."name"::text, '') AS "_instanceName",
    page."id" AS "id"
  FROM (
    SELECT t0."name" AS "name", t0."id" AS "id"
    FROM "t"."owner" t0
    WHERE t0."deleted_date" IS NULL
      AND EXISTS (
        SELECT 1
        FROM "t"."pet" t1
        WHERE t1."owner_id" = t0."id"
          AND t1."deleted_date" IS NULL
          AND t1."color" = $1::text
          AND t1."name" = $2::text
      )
    ORDER BY t0."name"
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
