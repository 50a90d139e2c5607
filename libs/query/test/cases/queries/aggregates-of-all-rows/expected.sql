-- aggregates of all rows
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    page."c0" AS "pets",
    page."c1" AS "owners",
    page."c2" AS "total",
    page."c3" AS "average",
    page."c4" AS "first",
    page."c5" AS "last",
    page."c6" AS "weight",
    CASE
      WHEN page."c7" = trunc(page."c7")
        AND abs(page."c7") < 1e15 THEN (page."c7"::text || '.0')::json
      ELSE to_json(page."c7")
    END AS "ratio"
  FROM (
    SELECT
      selected."c0" AS "c0",
      selected."c1" AS "c1",
      selected."c2" AS "c2",
      selected."c3" AS "c3",
      selected."c4" AS "c4",
      selected."c5" AS "c5",
      selected."c6" AS "c6",
      selected."c7" AS "c7"
    FROM (
      SELECT
        count(t0."id") AS "c0",
        count(DISTINCT t0."owner_id") AS "c1",
        sum(t0."age") AS "c2",
        trim_scale(avg((t0."age")::numeric)) AS "c3",
        min(t0."born") AS "c4",
        max(t0."name") AS "c5",
        sum(t0."weight") AS "c6",
        avg(t0."ratio") AS "c7"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL
    ) selected
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
