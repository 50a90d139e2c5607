-- a page begins after a group
-- $1 = "2"
-- $2 = "r"
-- $3 = 2
-- $4 = 0

SELECT
  row_to_json(root)::text AS "json",
  page."o0"::text AS "position_0",
  page."c0"::text AS "position_1"
FROM (
  SELECT selected."c0" AS "c0", selected."c1" AS "c1", selected."c2" AS "c2", selected."o0" AS "o0"
  FROM (
    SELECT
      t0."color" AS "c0",
      count(*) AS "c1",
      trim_scale(avg((t0."age")::numeric)) AS "c2",
      count(*) AS "o0"
    FROM "t"."pet" t0
    WHERE t0."deleted_date" IS NULL
    GROUP BY t0."color"
  ) selected
  WHERE (
    (selected."o0" = $1::numeric AND selected."c0" > $2::text)
    OR (selected."o0" = $1::numeric AND selected."c0" IS NULL)
    OR (selected."o0" < $1::numeric)
  )
  ORDER BY selected."o0" DESC, selected."c0"
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
CROSS JOIN LATERAL (
  SELECT
    CASE page."c0" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END AS "color",
    page."c1" AS "n",
    page."c2" AS "age"
) root
