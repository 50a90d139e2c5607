-- fields of dates
-- $1 = "Rex"
-- $2 = 100
-- $3 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    page."c0" AS "y",
    page."c1" AS "mo",
    page."c2" AS "d",
    page."c3" AS "h",
    page."c4" AS "mi",
    page."c5" AS "s"
  FROM (
    SELECT
      selected."c0" AS "c0",
      selected."c1" AS "c1",
      selected."c2" AS "c2",
      selected."c3" AS "c3",
      selected."c4" AS "c4",
      selected."c5" AS "c5"
    FROM (
      SELECT
        (floor(extract(year FROM (t0."born")::timestamp)))::integer AS "c0",
        (floor(extract(month FROM (t0."born")::timestamp)))::integer AS "c1",
        (floor(extract(day FROM t0."seen_at")))::integer AS "c2",
        (floor(extract(hour FROM t0."chipped_at")))::integer AS "c3",
        (floor(extract(minute FROM t0."feed_at")))::integer AS "c4",
        (floor(extract(second FROM t0."seen_at")))::integer AS "c5"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL AND t0."name" = $1::text
    ) selected
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
