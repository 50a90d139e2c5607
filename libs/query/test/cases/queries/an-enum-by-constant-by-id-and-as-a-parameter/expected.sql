-- an enum by constant, by id and as a parameter
-- $1 = 2
-- $2 = 2
-- $3 = 2
-- $4 = 2
-- $5 = 100
-- $6 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Owner'::text AS "_entityName",
    COALESCE(page."name"::text, '') AS "_instanceName",
    page."id" AS "id",
    page."name" AS "name"
  FROM (
    SELECT t0."name" AS "name", t0."id" AS "id"
    FROM "t"."owner" t0
    WHERE t0."deleted_date" IS NULL
      AND (
        t0."level" = $1::integer
        OR t0."level" = $2::integer
        OR t0."level" = $3::integer
        OR t0."level" = $4::integer
      )
    LIMIT $5::bigint
    OFFSET $6::bigint
  ) page
) root
