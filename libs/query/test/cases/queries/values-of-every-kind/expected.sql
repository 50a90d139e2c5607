-- values of every kind
-- $1 = "Rex"
-- $2 = 100
-- $3 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    page."c0" AS "pet",
    CASE page."c1" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END AS "color",
    page."c2" AS "weight",
    page."c3" AS "serial",
    page."c4" AS "born",
    to_char(page."c5", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "seenAt",
    to_char(page."c6" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "chippedAt",
    page."c7" AS "feedAt",
    page."c8" AS "chip",
    page."c9" AS "alive",
    CASE
      WHEN page."c10" = trunc(page."c10")
        AND abs(page."c10") < 1e15 THEN (page."c10"::text || '.0')::json
      ELSE to_json(page."c10")
    END AS "ratio",
    page."c11" AS "city"
  FROM (
    SELECT
      selected."c0" AS "c0",
      selected."c1" AS "c1",
      selected."c2" AS "c2",
      selected."c3" AS "c3",
      selected."c4" AS "c4",
      selected."c5" AS "c5",
      selected."c6" AS "c6",
      selected."c7" AS "c7",
      selected."c8" AS "c8",
      selected."c9" AS "c9",
      selected."c10" AS "c10",
      selected."c11" AS "c11"
    FROM (
      SELECT
        t0."name" AS "c0",
        t0."color" AS "c1",
        t0."weight" AS "c2",
        t0."serial" AS "c3",
        t0."born" AS "c4",
        t0."seen_at" AS "c5",
        t0."chipped_at" AS "c6",
        t0."feed_at" AS "c7",
        t0."chip" AS "c8",
        t0."alive" AS "c9",
        t0."ratio" AS "c10",
        t1."address_city" AS "c11"
      FROM "t"."pet" t0
      LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
      WHERE t0."deleted_date" IS NULL AND t0."name" = $1::text
    ) selected
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
