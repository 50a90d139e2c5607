-- a 1:1 reference, a M:N association and compositions nest to any depth
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
    t0."name" AS "name",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Passport'::text AS "_entityName",
          ('t_Passport'::text || '-'::text || COALESCE(t2."id"::text, '')) AS "_instanceName",
          t2."id" AS "id"
        FROM "t"."passport" t2
        WHERE t2."id" = t0."passport_id"
        LIMIT 1
      ) j1
    ) AS "passport",
    (
      SELECT COALESCE(array_to_json(array_agg(row_to_json(j2))), '[]'::json)
      FROM (
        SELECT
          't_Tag'::text AS "_entityName",
          COALESCE(t3."label"::text, '') AS "_instanceName",
          t3."code" AS "id",
          t3."code" AS "code",
          t3."label" AS "label"
        FROM "t"."tag" t3
        JOIN "t"."pet_tags_link" t4 ON t4."tag_code" = t3."code"
        WHERE t4."pet_id" = t0."id"
        ORDER BY t3."code"
      ) j2
    ) AS "tags",
    (
      SELECT COALESCE(array_to_json(array_agg(row_to_json(j3))), '[]'::json)
      FROM (
        SELECT
          't_Visit'::text AS "_entityName",
          json_build_array(
            (
              SELECT CASE
                WHEN t6."entity_name" IN ('t_Vet') THEN COALESCE(
                  (
                    SELECT ('Dr. '::text || COALESCE(t8."name"::text, ''))
                    FROM "t"."vet" t7
                    JOIN "t"."staff" t8 ON t8."id" = t7."id"
                    WHERE t7."id" = t6."id"
                    LIMIT 1
                  ),
                  ''
                )
                ELSE COALESCE(t6."name"::text, '')
              END
              FROM "t"."staff" t6
              WHERE t6."id" = t5."staff_id"
              LIMIT 1
            ),
            t5."cost"::text
          ) AS "_instanceName",
          t5."id" AS "id",
          (
            SELECT row_to_json(j4)
            FROM (
              SELECT
                t9."entity_name"::text AS "_entityName",
                CASE
                  WHEN t9."entity_name" IN ('t_Vet') THEN COALESCE(
                    (
                      SELECT ('Dr. '::text || COALESCE(t11."name"::text, ''))
                      FROM "t"."vet" t10
                      JOIN "t"."staff" t11 ON t11."id" = t10."id"
                      WHERE t10."id" = t9."id"
                      LIMIT 1
                    ),
                    ''
                  )
                  ELSE COALESCE(t9."name"::text, '')
                END AS "_instanceName",
                t9."id" AS "id",
                t9."name" AS "name"
              FROM "t"."staff" t9
              WHERE t9."id" = t5."staff_id"
              LIMIT 1
            ) j4
          ) AS "staff",
          t5."cost" AS "cost",
          (
            SELECT row_to_json(j5)
            FROM (
              SELECT
                't_Rate'::text AS "_entityName",
                (
                  't_Rate'::text
                  || '-'::text
                  || COALESCE(t12."id_currency"::text, '')
                  || '-'::text
                  || COALESCE(t12."id_valid_on"::text, '')
                ) AS "_instanceName",
                (
                  SELECT row_to_json(j6)
                  FROM (SELECT t12."id_currency" AS "currency", t12."id_valid_on" AS "validOn") j6
                ) AS "id",
                t12."value" AS "value"
              FROM "t"."rate" t12
              WHERE t12."id_currency" = t5."rate_id_currency"
                AND t12."id_valid_on" = t5."rate_id_valid_on"
              LIMIT 1
            ) j5
          ) AS "rate"
        FROM "t"."visit" t5
        WHERE t5."pet_id" = t0."id"
        ORDER BY t5."id"
      ) j3
    ) AS "visits"
) root
WHERE t0."id" = $1::uuid AND t0."deleted_date" IS NULL
