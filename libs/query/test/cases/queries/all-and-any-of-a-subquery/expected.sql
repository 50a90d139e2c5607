-- all and any of a subquery
-- $1 = "r"
-- $2 = 100
-- $3 = 0

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
      AND (
        t0."age" > ALL (
          SELECT t1."age" AS "c0"
          FROM "t"."pet" t1
          WHERE t1."deleted_date" IS NULL AND t1."color" = $1::text
        )
        AND t0."weight" < ANY (
          SELECT t2."weight" AS "c0" FROM "t"."pet" t2 WHERE t2."deleted_date" IS NULL
        )
      )
    LIMIT $2::bigint
    OFFSET $3::bigint
  ) page
) root
