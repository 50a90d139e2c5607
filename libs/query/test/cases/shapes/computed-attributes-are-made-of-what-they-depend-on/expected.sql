-- computed attributes are made of what they depend on
-- $1 = "00000000-0000-4000-8000-000000000011"

SELECT row_to_json(root)::text AS "json", t0."version"::text AS "version"
FROM "t"."pet" t0
CROSS JOIN LATERAL (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(t0."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t1."name"::text, '')
          FROM "t"."owner" t1
          WHERE t1."id" = t0."owner_id"
          LIMIT 1
        ),
        ''
      )
    ) AS "_instanceName",
    t0."id" AS "id",
    NULL::text AS "visitCount",
    NULL::text AS "doubleAge",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Pet'::text AS "_entityName",
          (
            COALESCE(t0."name"::text, '')
            || ' of '::text
            || COALESCE(
              (
                SELECT COALESCE(t2."name"::text, '')
                FROM "t"."owner" t2
                WHERE t2."id" = t0."owner_id"
                LIMIT 1
              ),
              ''
            )
          ) AS "_instanceName",
          t0."id" AS "id",
          t0."age" AS "age",
          (
            SELECT COALESCE(array_to_json(array_agg(row_to_json(j2))), '[]'::json)
            FROM (
              SELECT
                't_Visit'::text AS "_entityName",
                json_build_array(
                  (
                    SELECT CASE
                      WHEN t4."entity_name" IN ('t_Vet') THEN COALESCE(
                        (
                          SELECT ('Dr. '::text || COALESCE(t6."name"::text, ''))
                          FROM "t"."vet" t5
                          JOIN "t"."staff" t6 ON t6."id" = t5."id"
                          WHERE t5."id" = t4."id"
                          LIMIT 1
                        ),
                        ''
                      )
                      ELSE COALESCE(t4."name"::text, '')
                    END
                    FROM "t"."staff" t4
                    WHERE t4."id" = t3."staff_id"
                    LIMIT 1
                  ),
                  t3."cost"::text
                ) AS "_instanceName",
                t3."id" AS "id",
                (
                  SELECT row_to_json(j3)
                  FROM (
                    SELECT
                      t7."entity_name"::text AS "_entityName",
                      CASE
                        WHEN t7."entity_name" IN ('t_Vet') THEN COALESCE(
                          (
                            SELECT ('Dr. '::text || COALESCE(t9."name"::text, ''))
                            FROM "t"."vet" t8
                            JOIN "t"."staff" t9 ON t9."id" = t8."id"
                            WHERE t8."id" = t7."id"
                            LIMIT 1
                          ),
                          ''
                        )
                        ELSE COALESCE(t7."name"::text, '')
                      END AS "_instanceName",
                      t7."id" AS "id",
                      t7."name" AS "name"
                    FROM "t"."staff" t7
                    WHERE t7."id" = t3."staff_id"
                    LIMIT 1
                  ) j3
                ) AS "staff",
                t3."cost" AS "cost"
              FROM "t"."visit" t3
              WHERE t3."pet_id" = t0."id"
              ORDER BY t3."id"
            ) j2
          ) AS "visits"
      ) j1
    ) AS "$inputs"
) root
WHERE t0."id" = $1::uuid AND t0."deleted_date" IS NULL
