-- an embedded object that is null as a whole
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
    WHERE t0."deleted_date" IS NULL AND (t0."address_country" IS NULL AND t0."address_city" IS NULL)
    ORDER BY t0."name"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
