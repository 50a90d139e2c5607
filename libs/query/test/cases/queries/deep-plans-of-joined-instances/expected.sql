-- deep plans of joined instances
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
          t4."name" AS "name",
          (
            SELECT COALESCE(array_to_json(array_agg(j2."object")), '[]'::json)
            FROM (
              SELECT CASE
                WHEN t5."id" = page."id" THEN (
                  SELECT row_to_json(j3)
                  FROM (
                    SELECT
                      't_Pet'::text AS "_entityName",
                      (
                        COALESCE(t5."name"::text, '')
                        || ' of '::text
                        || COALESCE(
                          (
                            SELECT COALESCE(t6."name"::text, '')
                            FROM "t"."owner" t6
                            WHERE t6."id" = t5."owner_id"
                            LIMIT 1
                          ),
                          ''
                        )
                      ) AS "_instanceName",
                      t5."id" AS "id"
                  ) j3
                )
                ELSE (
                  SELECT row_to_json(j4)
                  FROM (
                    SELECT
                      't_Pet'::text AS "_entityName",
                      (
                        COALESCE(t5."name"::text, '')
                        || ' of '::text
                        || COALESCE(
                          (
                            SELECT COALESCE(t6."name"::text, '')
                            FROM "t"."owner" t6
                            WHERE t6."id" = t5."owner_id"
                            LIMIT 1
                          ),
                          ''
                        )
                      ) AS "_instanceName",
                      t5."id" AS "id",
                      t5."name" AS "name"
                  ) j4
                )
              END AS "object"
              FROM "t"."pet" t5
              WHERE t5."owner_id" = t4."id" AND t5."deleted_date" IS NULL
              ORDER BY t5."id"
            ) j2
          ) AS "pets"
        FROM "t"."owner" t4
        WHERE t4."id" = page."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner",
    (
      SELECT COALESCE(array_to_json(array_agg(row_to_json(j5))), '[]'::json)
      FROM (
        SELECT
          't_Visit'::text AS "_entityName",
          json_build_array(
            (
              SELECT CASE
                WHEN t8."entity_name" IN ('t_Vet') THEN COALESCE(
                  (
                    SELECT ('Dr. '::text || COALESCE(t10."name"::text, ''))
                    FROM "t"."vet" t9
                    JOIN "t"."staff" t10 ON t10."id" = t9."id"
                    WHERE t9."id" = t8."id"
                    LIMIT 1
                  ),
                  ''
                )
                ELSE COALESCE(t8."name"::text, '')
              END
              FROM "t"."staff" t8
              WHERE t8."id" = t7."staff_id"
              LIMIT 1
            ),
            t7."cost"::text
          ) AS "_instanceName",
          t7."id" AS "id",
          t7."cost" AS "cost"
        FROM "t"."visit" t7
        WHERE t7."pet_id" = page."id"
        ORDER BY t7."id"
      ) j5
    ) AS "visits"
  FROM (
    SELECT t2."name" AS "name", t2."owner_id" AS "owner_id", t2."id" AS "id"
    FROM (
      SELECT DISTINCT t0."id" AS "c0", t0."name" AS "o0"
      FROM "t"."pet" t0
      JOIN "t"."visit" t1 ON t1."pet_id" = t0."id"
      WHERE t0."deleted_date" IS NULL
    ) selected
    JOIN "t"."pet" t2 ON t2."id" = selected."c0"
    ORDER BY selected."o0"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
