-- a page has the attributes of the root and of the nested objects of the plan
-- $1 = "00000000-0000-4000-9000-000000000012"
-- $2 = "00000000-0000-4000-9000-000000000013"
-- $3 = "00000000-0000-4000-9000-000000000001"
-- $4 = "00000000-0000-4000-9000-000000000002"
-- $5 = "00000000-0000-4000-9000-000000000003"
-- $6 = "00000000-0000-4000-9000-000000000004"
-- $7 = "00000000-0000-4000-9000-000000000005"
-- $8 = "00000000-0000-4000-9000-000000000006"
-- $9 = "00000000-0000-4000-9000-000000000007"
-- $10 = "00000000-0000-4000-9000-000000000008"
-- $11 = "00000000-0000-4000-9000-000000000009"
-- $12 = "00000000-0000-4000-9000-000000000010"
-- $13 = "00000000-0000-4000-9000-000000000011"
-- $14 = 3
-- $15 = 0

SELECT
  row_to_json(root)::text AS "json",
  page."name"::text AS "position_0",
  page."id"::text AS "position_1"
FROM (
  SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
  FROM "t"."pet" t0
  WHERE t0."deleted_date" IS NULL
  ORDER BY t0."name", t0."id"
  LIMIT $14::bigint
  OFFSET $15::bigint
) page
CROSS JOIN LATERAL (
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
          't_Owner'::text AS "_entityName",
          COALESCE(t2."name"::text, '') AS "_instanceName",
          t2."id" AS "id",
          (
            SELECT t3."boolean_value"
            FROM "dynat"."attribute_value" t3
            WHERE t3."attribute_id" = $1::uuid AND t3."owner_key" = t2."id"::text
            LIMIT 1
          ) AS "+vip"
        FROM "t"."owner" t2
        WHERE t2."id" = page."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner",
    (
      SELECT COALESCE(array_to_json(array_agg(row_to_json(j2))), '[]'::json)
      FROM (
        SELECT
          't_Visit'::text AS "_entityName",
          json_build_array(
            (
              SELECT CASE
                WHEN t5."entity_name" IN ('t_Vet') THEN COALESCE(
                  (
                    SELECT ('Dr. '::text || COALESCE(t7."name"::text, ''))
                    FROM "t"."vet" t6
                    JOIN "t"."staff" t7 ON t7."id" = t6."id"
                    WHERE t6."id" = t5."id"
                    LIMIT 1
                  ),
                  ''
                )
                ELSE COALESCE(t5."name"::text, '')
              END
              FROM "t"."staff" t5
              WHERE t5."id" = t4."staff_id"
              LIMIT 1
            ),
            t4."cost"::text
          ) AS "_instanceName",
          t4."id" AS "id",
          (
            SELECT row_to_json(j3)
            FROM (
              SELECT
                t8."entity_name"::text AS "_entityName",
                CASE
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
                END AS "_instanceName",
                t8."id" AS "id",
                (
                  SELECT t11."string_value"
                  FROM "dynat"."attribute_value" t11
                  WHERE t11."attribute_id" = $2::uuid AND t11."owner_key" = t8."id"::text
                  LIMIT 1
                ) AS "+badge"
              FROM "t"."staff" t8
              WHERE t8."id" = t4."staff_id"
              LIMIT 1
            ) j3
          ) AS "staff"
        FROM "t"."visit" t4
        WHERE t4."pet_id" = page."id"
        ORDER BY t4."id"
      ) j2
    ) AS "visits",
    (
      SELECT t12."string_value"
      FROM "dynat"."attribute_value" t12
      WHERE t12."attribute_id" = $3::uuid AND t12."owner_key" = page."id"::text
      LIMIT 1
    ) AS "+motto",
    (
      SELECT t13."integer_value"
      FROM "dynat"."attribute_value" t13
      WHERE t13."attribute_id" = $4::uuid AND t13."owner_key" = page."id"::text
      LIMIT 1
    ) AS "+tricks",
    (
      SELECT CASE
        WHEN t14."double_value" = trunc(t14."double_value")
          AND abs(t14."double_value") < 1e15 THEN (t14."double_value"::text || '.0')::json
        ELSE to_json(t14."double_value")
      END
      FROM "dynat"."attribute_value" t14
      WHERE t14."attribute_id" = $5::uuid AND t14."owner_key" = page."id"::text
      LIMIT 1
    ) AS "+speed",
    (
      SELECT t15."decimal_value"
      FROM "dynat"."attribute_value" t15
      WHERE t15."attribute_id" = $6::uuid AND t15."owner_key" = page."id"::text
      LIMIT 1
    ) AS "+value",
    (
      SELECT to_char(t16."date_time_value", 'YYYY-MM-DD"T"HH24:MI:SS.MS')
      FROM "dynat"."attribute_value" t16
      WHERE t16."attribute_id" = $7::uuid AND t16."owner_key" = page."id"::text
      LIMIT 1
    ) AS "+fedAt",
    (
      SELECT t17."date_value"
      FROM "dynat"."attribute_value" t17
      WHERE t17."attribute_id" = $8::uuid AND t17."owner_key" = page."id"::text
      LIMIT 1
    ) AS "+adopted",
    (
      SELECT t18."boolean_value"
      FROM "dynat"."attribute_value" t18
      WHERE t18."attribute_id" = $9::uuid AND t18."owner_key" = page."id"::text
      LIMIT 1
    ) AS "+tame",
    (
      SELECT t19."string_value"
      FROM "dynat"."attribute_value" t19
      WHERE t19."attribute_id" = $10::uuid AND t19."owner_key" = page."id"::text
      LIMIT 1
    ) AS "+size",
    (
      SELECT row_to_json(j4)
      FROM (
        SELECT
          't_Owner'::text AS "_entityName",
          COALESCE(t21."name"::text, '') AS "_instanceName",
          t21."id" AS "id"
        FROM "t"."owner" t21
        JOIN "dynat"."attribute_value" t20 ON t20."target_uuid" = t21."id"
        WHERE t20."attribute_id" = $11::uuid AND t20."owner_key" = page."id"::text
        LIMIT 1
      ) j4
    ) AS "+sitter",
    (
      SELECT array_to_json(array_agg(t22."string_value" ORDER BY t22."position"))
      FROM "dynat"."attribute_value" t22
      WHERE t22."attribute_id" = $12::uuid AND t22."owner_key" = page."id"::text
    ) AS "+names",
    (
      SELECT array_to_json(array_agg(row_to_json(j5)))
      FROM (
        SELECT
          't_Tag'::text AS "_entityName",
          COALESCE(t24."label"::text, '') AS "_instanceName",
          t24."code" AS "id"
        FROM "t"."tag" t24
        JOIN "dynat"."attribute_value" t23 ON t23."target_text" = t24."code"
        WHERE t23."attribute_id" = $13::uuid AND t23."owner_key" = page."id"::text
        ORDER BY t23."position"
      ) j5
    ) AS "+labels"
) root
