-- groups by a reference and by an expression
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT page."c0" AS "owner", page."c1" AS "pet", page."c2" AS "visits"
  FROM (
    SELECT selected."c0" AS "c0", selected."c1" AS "c1", selected."c2" AS "c2"
    FROM (
      SELECT
        t2."name" AS "c0",
        lower((t1."name")::text) AS "c1",
        count(t0."id") AS "c2",
        t2."name" AS "o0",
        lower((t1."name")::text) AS "o1"
      FROM "t"."visit" t0
      JOIN "t"."pet" t1 ON t1."id" = t0."pet_id"
      JOIN "t"."owner" t2 ON t2."id" = t1."owner_id"
      GROUP BY t2."id", lower((t1."name")::text), t2."name"
    ) selected
    ORDER BY selected."o0", selected."o1"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
