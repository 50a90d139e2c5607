-- attributes of the other end that may not be viewed are dropped
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
          SELECT COALESCE(t1."name"::text, '')
          FROM "t"."owner" t1
          WHERE t1."id" = page."owner_id"
          LIMIT 1
        ),
        ''
      )
    ) AS "_instanceName",
    page."id" AS "id",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Licence'::text AS "_entityName",
          (
            ''::text
            || ' for '::text
            || COALESCE(
              (
                SELECT (
                  COALESCE(t3."name"::text, '')
                  || ' of '::text
                  || COALESCE(
                    (
                      SELECT COALESCE(t4."name"::text, '')
                      FROM "t"."owner" t4
                      WHERE t4."id" = t3."owner_id"
                      LIMIT 1
                    ),
                    ''
                  )
                )
                FROM "t"."pet" t3
                WHERE t3."id" = t2."pet_id"
                LIMIT 1
              ),
              ''
            )
          ) AS "_instanceName",
          t2."id" AS "id"
        FROM "t"."licence" t2
        WHERE t2."pet_id" = page."id" AND t2."deleted_date" IS NULL
        LIMIT 1
      ) j1
    ) AS "licence"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    WHERE t0."deleted_date" IS NULL
    ORDER BY t0."name"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
