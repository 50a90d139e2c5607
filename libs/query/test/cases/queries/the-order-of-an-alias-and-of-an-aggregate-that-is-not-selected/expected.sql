-- the order of an alias and of an aggregate that is not selected
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT page."c0" AS "owner"
  FROM (
    SELECT selected."c0" AS "c0"
    FROM (
      SELECT t1."name" AS "c0", max(t0."age") AS "o0", t1."name" AS "o1"
      FROM "t"."pet" t0
      JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
      WHERE t0."deleted_date" IS NULL
      GROUP BY t1."name"
    ) selected
    ORDER BY selected."o0" DESC, selected."o1"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
