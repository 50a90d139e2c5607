-- without groups there is one row of what the caller sees
-- $1 = "Anna"
-- $2 = 100
-- $3 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT page."c0" AS "n", page."c1" AS "owners", page."c2" AS "first"
  FROM (
    SELECT selected."c0" AS "c0", selected."c1" AS "c1", selected."c2" AS "c2"
    FROM (
      SELECT count(*) AS "c0", count(DISTINCT t1."id") AS "c1", min(t0."born") AS "c2"
      FROM "t"."pet" t0
      LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id" AND t1."name" <> $1::text
      WHERE t0."deleted_date" IS NULL
    ) selected
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
