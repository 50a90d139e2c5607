-- both ends nest in each other, and an instance that is its own ancestor is short
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Licence'::text AS "_entityName",
    (
      COALESCE(page."code"::text, '')
      || ' for '::text
      || COALESCE(
        (
          SELECT (
            COALESCE(t1."name"::text, '')
            || ' of '::text
            || COALESCE(
              (
                SELECT COALESCE(t2."name"::text, '')
                FROM "t"."owner" t2
                WHERE t2."id" = t1."owner_id"
                LIMIT 1
              ),
              ''
            )
          )
          FROM "t"."pet" t1
          WHERE t1."id" = page."pet_id"
          LIMIT 1
        ),
        ''
      )
    ) AS "_instanceName",
    page."id" AS "id",
    page."code" AS "code",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Pet'::text AS "_entityName",
          (
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
          ) AS "_instanceName",
          t3."id" AS "id",
          t3."name" AS "name",
          (
            SELECT CASE
              WHEN t5."id" = page."id" THEN (
                SELECT row_to_json(j2)
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
                    t5."id" AS "id"
                ) j2
              )
              ELSE (
                SELECT row_to_json(j3)
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
                ) j3
              )
            END
            FROM "t"."licence" t5
            WHERE t5."pet_id" = t3."id" AND t5."deleted_date" IS NULL
            LIMIT 1
          ) AS "licence"
        FROM "t"."pet" t3
        WHERE t3."id" = page."pet_id"
        LIMIT 1
      ) j1
    ) AS "pet"
  FROM (
    SELECT t0."code" AS "code", t0."pet_id" AS "pet_id", t0."id" AS "id"
    FROM "t"."licence" t0
    WHERE t0."deleted_date" IS NULL
    ORDER BY t0."code"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
