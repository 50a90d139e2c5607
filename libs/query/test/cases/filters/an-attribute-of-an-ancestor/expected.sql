-- an attribute of an ancestor
-- $1 = "House"
-- $2 = 100
-- $3 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Vet'::text AS "_entityName",
    ('Dr. '::text || COALESCE(page."name"::text, '')) AS "_instanceName",
    page."id" AS "id"
  FROM (
    SELECT t1."name" AS "name", t0."id" AS "id"
    FROM "t"."vet" t0
    JOIN "t"."staff" t1 ON t1."id" = t0."id"
    WHERE t1."name" = $1::text
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
