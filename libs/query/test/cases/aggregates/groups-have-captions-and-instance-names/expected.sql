-- groups have captions and instance names
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    CASE page."c0" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END AS "color",
    page."c1" AS "owner",
    CASE page."c0" WHEN 'r' THEN 'Rot' WHEN 'g' THEN 'Grün' END AS "colour",
    (
      SELECT COALESCE(t1."name"::text, '') FROM "t"."owner" t1 WHERE t1."id" = page."c1" LIMIT 1
    ) AS "ownedBy",
    page."c2" AS "n"
  FROM (
    SELECT selected."c0" AS "c0", selected."c1" AS "c1", selected."c2" AS "c2"
    FROM (
      SELECT t0."color" AS "c0", t0."owner_id" AS "c1", count(*) AS "c2", t0."color" AS "o0"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL
      GROUP BY t0."color", t0."owner_id"
    ) selected
    ORDER BY selected."o0"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
