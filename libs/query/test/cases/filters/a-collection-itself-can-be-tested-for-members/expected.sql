-- a collection itself can be tested for members
-- $1 = 100
-- $2 = 0

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
      AND NOT (
        EXISTS (
          SELECT 1 FROM "t"."pet" t1 WHERE t1."owner_id" = t0."id" AND t1."deleted_date" IS NULL
        )
      )
    ORDER BY t0."name"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
