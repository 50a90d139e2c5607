-- an inherited attribute comes from the ancestor's table
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Vet'::text AS "_entityName",
    ('Dr. '::text || COALESCE(page."name"::text, '')) AS "_instanceName",
    page."id" AS "id",
    page."name" AS "name",
    page."licence" AS "licence"
  FROM (
    SELECT t1."name" AS "name", t0."id" AS "id", t0."licence" AS "licence"
    FROM "t"."vet" t0
    JOIN "t"."staff" t1 ON t1."id" = t0."id"
    ORDER BY t1."name"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
