-- exists with a correlated subquery
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t3."name"::text, '')
          FROM "t"."owner" t3
          WHERE t3."id" = page."owner_id"
          LIMIT 1
        ),
        ''
      )
    ) AS "_instanceName",
    page."id" AS "id",
    page."name" AS "name",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Owner'::text AS "_entityName",
          COALESCE(t4."name"::text, '') AS "_instanceName",
          t4."id" AS "id",
          t4."name" AS "name"
        FROM "t"."owner" t4
        WHERE t4."id" = page."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    WHERE t0."deleted_date" IS NULL
      AND EXISTS (
        SELECT t1."id" AS "c0"
        FROM "t"."visit" t1
        WHERE (
          t1."pet_id" = t0."id" AND t1."cost" = (SELECT max(t2."cost") AS "c0" FROM "t"."visit" t2)
        )
      )
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
