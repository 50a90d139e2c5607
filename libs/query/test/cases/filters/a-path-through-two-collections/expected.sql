-- a path through two collections
-- $1 = "50"
-- $2 = 100
-- $3 = 0

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
          AND EXISTS (
            SELECT 1 FROM "t"."visit" t2 WHERE t2."pet_id" = t1."id" AND t2."cost" > $1::numeric
          )
      )
    ORDER BY t0."name"
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
