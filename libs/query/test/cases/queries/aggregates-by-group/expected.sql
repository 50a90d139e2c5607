-- aggregates by group
-- $1 = "1"
-- $2 = 100
-- $3 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    CASE page."c0" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END AS "color",
    page."c1" AS "number",
    page."c2" AS "mean"
  FROM (
    SELECT selected."c0" AS "c0", selected."c1" AS "c1", selected."c2" AS "c2"
    FROM (
      SELECT
        t0."color" AS "c0",
        count(t0."id") AS "c1",
        trim_scale(((sum(t0."weight"))::numeric / NULLIF((count(t0."id"))::numeric, 0))) AS "c2",
        count(t0."id") AS "o0",
        t0."color" AS "o1"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL
      GROUP BY t0."color"
      HAVING count(t0."id") >= $1::bigint
    ) selected
    ORDER BY selected."o0" DESC, selected."o1" NULLS LAST
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
