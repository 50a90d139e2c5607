-- the instance of a path; rows without one are left out
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Owner'::text AS "_entityName",
    COALESCE(page."name"::text, '') AS "_instanceName",
    page."id" AS "id",
    page."name" AS "name"
  FROM (
    SELECT t2."name" AS "name", t2."id" AS "id"
    FROM "t"."visit" t0
    JOIN "t"."pet" t1 ON t1."id" = t0."pet_id"
    JOIN "t"."owner" t2 ON t2."id" = t1."owner_id"
    ORDER BY t0."id"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
