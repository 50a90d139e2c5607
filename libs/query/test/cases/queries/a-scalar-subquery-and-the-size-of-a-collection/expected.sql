-- a scalar subquery and the size of a collection
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT page."c0" AS "name", page."c1" AS "visits", page."c2" AS "tags"
  FROM (
    SELECT selected."c0" AS "c0", selected."c1" AS "c1", selected."c2" AS "c2"
    FROM (
      SELECT
        t0."name" AS "c0",
        (SELECT count(t1."id") AS "c0" FROM "t"."visit" t1 WHERE t1."pet_id" = t0."id") AS "c1",
        (
          SELECT count(*) AS "size"
          FROM "t"."tag" t2
          JOIN "t"."pet_tags_link" t3 ON t3."tag_code" = t2."code"
          WHERE t3."pet_id" = t0."id"
        ) AS "c2",
        t0."name" AS "o0"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL
    ) selected
    ORDER BY selected."o0"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
