-- groups nest and empty ones are dropped
-- $1 = "Rex"
-- $2 = "5"
-- $3 = "15"
-- $4 = 100
-- $5 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t1."name"::text, '')
          FROM "t"."owner" t1
          WHERE t1."id" = page."owner_id"
          LIMIT 1
        ),
        ''
      )
    ) AS "_instanceName",
    page."id" AS "id"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    WHERE t0."deleted_date" IS NULL
      AND (t0."name" = $1::text OR (t0."age" > $2::integer AND t0."age" < $3::integer))
    ORDER BY t0."name"
    LIMIT $4::bigint
    OFFSET $5::bigint
  ) page
) root
