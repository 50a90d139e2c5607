-- values without null
-- $1 = "Stray"
-- $2 = 100
-- $3 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    page."c0" AS "name", CASE page."c1" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END AS "color"
  FROM (
    SELECT selected."c0" AS "c0", selected."c1" AS "c1"
    FROM (
      SELECT t0."name" AS "c0", t0."color" AS "c1"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL AND t0."name" = $1::text
    ) selected
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
