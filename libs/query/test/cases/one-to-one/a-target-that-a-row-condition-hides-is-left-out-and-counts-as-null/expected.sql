-- a target that a row condition hides is left out and counts as null
-- $1 = "L-2"
-- $2 = "L-2"
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
          SELECT COALESCE(t2."name"::text, '')
          FROM "t"."owner" t2
          WHERE t2."id" = page."owner_id"
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
          't_Licence'::text AS "_entityName",
          (
            COALESCE(t3."code"::text, '')
            || ' for '::text
            || COALESCE(
              (
                SELECT (
                  COALESCE(t4."name"::text, '')
                  || ' of '::text
                  || COALESCE(
                    (
                      SELECT COALESCE(t5."name"::text, '')
                      FROM "t"."owner" t5
                      WHERE t5."id" = t4."owner_id"
                      LIMIT 1
                    ),
                    ''
                  )
                )
                FROM "t"."pet" t4
                WHERE t4."id" = t3."pet_id"
                LIMIT 1
              ),
              ''
            )
          ) AS "_instanceName",
          t3."id" AS "id",
          t3."code" AS "code"
        FROM "t"."licence" t3
        WHERE t3."pet_id" = page."id" AND t3."deleted_date" IS NULL AND t3."code" = $1::text
        LIMIT 1
      ) j1
    ) AS "licence"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    LEFT JOIN "t"."licence" t1 ON t1."pet_id" = t0."id"
      AND t1."deleted_date" IS NULL
      AND t1."code" = $2::text
    WHERE t0."deleted_date" IS NULL AND t1."id" IS NULL
    ORDER BY t0."name"
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
