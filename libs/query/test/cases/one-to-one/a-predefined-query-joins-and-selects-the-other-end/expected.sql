-- a predefined query joins and selects the other end
-- $1 = "L-1"
-- $2 = "Rex"
-- $3 = 100
-- $4 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t4."name"::text, '')
          FROM "t"."owner" t4
          WHERE t4."id" = page."owner_id"
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
            COALESCE(t5."code"::text, '')
            || ' for '::text
            || COALESCE(
              (
                SELECT (
                  COALESCE(t6."name"::text, '')
                  || ' of '::text
                  || COALESCE(
                    (
                      SELECT COALESCE(t7."name"::text, '')
                      FROM "t"."owner" t7
                      WHERE t7."id" = t6."owner_id"
                      LIMIT 1
                    ),
                    ''
                  )
                )
                FROM "t"."pet" t6
                WHERE t6."id" = t5."pet_id"
                LIMIT 1
              ),
              ''
            )
          ) AS "_instanceName",
          t5."id" AS "id",
          t5."code" AS "code"
        FROM "t"."licence" t5
        WHERE t5."pet_id" = page."id" AND t5."deleted_date" IS NULL
        LIMIT 1
      ) j1
    ) AS "licence"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    LEFT JOIN "t"."licence" t1 ON t1."pet_id" = t0."id" AND t1."deleted_date" IS NULL
    LEFT JOIN ("t"."licence" t2 LEFT JOIN "t"."pet" t3 ON t3."id" = t2."pet_id") ON t2."pet_id" = t0."id"
      AND t2."deleted_date" IS NULL
    WHERE t0."deleted_date" IS NULL AND (t1."code" > $1::text OR t3."name" = $2::text)
    ORDER BY t1."code" DESC
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
