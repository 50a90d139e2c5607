-- dates and times as literals
-- $1 = "2024-02-29"
-- $2 = "2025-12-31T23:59:59"
-- $3 = "07:30:00"
-- $4 = "2026-02-01T00:00:00"
-- $5 = 100
-- $6 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT page."c0" AS "name"
  FROM (
    SELECT selected."c0" AS "c0"
    FROM (
      SELECT t0."name" AS "c0"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL
        AND (
          t0."born" = $1::date
          AND t0."seen_at" > $2::timestamp
          AND t0."feed_at" = $3::time
          AND t0."seen_at" < $4::timestamp
        )
    ) selected
    LIMIT $5::bigint
    OFFSET $6::bigint
  ) page
) root
