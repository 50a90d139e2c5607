-- a hidden part of an embedded object does not reveal the presence of the object
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Owner'::text AS "_entityName",
    COALESCE(page."name"::text, '') AS "_instanceName",
    page."id" AS "id",
    CASE
      WHEN page."address_city" IS NOT NULL THEN (
        SELECT row_to_json(j1) FROM (SELECT page."address_city" AS "city") j1
      )
    END AS "address"
  FROM (
    SELECT t0."name" AS "name", t0."id" AS "id", t0."address_city" AS "address_city"
    FROM "t"."owner" t0
    WHERE t0."deleted_date" IS NULL AND t0."address_city" IS NULL
    ORDER BY t0."name"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
