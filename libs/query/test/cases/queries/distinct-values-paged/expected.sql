-- distinct values, paged
-- $1 = 2
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT CASE page."c0" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END AS "color"
  FROM (
    SELECT selected."c0" AS "c0"
    FROM (
      SELECT DISTINCT t0."color" AS "c0", t0."color" AS "o0"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL
    ) selected
    ORDER BY selected."o0", selected."c0"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
