-- dynamic attributes of every type follow the attributes of the plan in the same statement
-- $1 = "00000000-0000-4000-9000-000000000001"
-- $2 = "00000000-0000-4000-9000-000000000002"
-- $3 = "00000000-0000-4000-9000-000000000003"
-- $4 = "00000000-0000-4000-9000-000000000004"
-- $5 = "00000000-0000-4000-9000-000000000005"
-- $6 = "00000000-0000-4000-9000-000000000006"
-- $7 = "00000000-0000-4000-9000-000000000007"
-- $8 = "00000000-0000-4000-9000-000000000008"
-- $9 = "00000000-0000-4000-9000-000000000009"
-- $10 = "00000000-0000-4000-9000-000000000010"
-- $11 = "00000000-0000-4000-9000-000000000011"
-- $12 = "00000000-0000-4000-8000-000000000011"

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
      SELECT t2."string_value"
      FROM "dynat"."attribute_value" t2
      WHERE t2."attribute_id" = $1::uuid AND t2."owner_key" = t0."id"::text
      LIMIT 1
    ) AS "+motto",
    (
      SELECT t3."integer_value"
      FROM "dynat"."attribute_value" t3
      WHERE t3."attribute_id" = $2::uuid AND t3."owner_key" = t0."id"::text
      LIMIT 1
    ) AS "+tricks",
    (
      SELECT CASE
        WHEN t4."double_value" = trunc(t4."double_value")
          AND abs(t4."double_value") < 1e15 THEN (t4."double_value"::text || '.0')::json
        ELSE to_json(t4."double_value")
      END
      FROM "dynat"."attribute_value" t4
      WHERE t4."attribute_id" = $3::uuid AND t4."owner_key" = t0."id"::text
      LIMIT 1
    ) AS "+speed",
    (
      SELECT t5."decimal_value"
      FROM "dynat"."attribute_value" t5
      WHERE t5."attribute_id" = $4::uuid AND t5."owner_key" = t0."id"::text
      LIMIT 1
    ) AS "+value",
    (
      SELECT to_char(t6."date_time_value", 'YYYY-MM-DD"T"HH24:MI:SS.MS')
      FROM "dynat"."attribute_value" t6
      WHERE t6."attribute_id" = $5::uuid AND t6."owner_key" = t0."id"::text
      LIMIT 1
    ) AS "+fedAt",
    (
      SELECT t7."date_value"
      FROM "dynat"."attribute_value" t7
      WHERE t7."attribute_id" = $6::uuid AND t7."owner_key" = t0."id"::text
      LIMIT 1
    ) AS "+adopted",
    (
      SELECT t8."boolean_value"
      FROM "dynat"."attribute_value" t8
      WHERE t8."attribute_id" = $7::uuid AND t8."owner_key" = t0."id"::text
      LIMIT 1
    ) AS "+tame",
    (
      SELECT t9."string_value"
      FROM "dynat"."attribute_value" t9
      WHERE t9."attribute_id" = $8::uuid AND t9."owner_key" = t0."id"::text
      LIMIT 1
    ) AS "+size",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Owner'::text AS "_entityName",
          COALESCE(t11."name"::text, '') AS "_instanceName",
          t11."id" AS "id"
        FROM "t"."owner" t11
        JOIN "dynat"."attribute_value" t10 ON t10."target_uuid" = t11."id"
        WHERE t10."attribute_id" = $9::uuid AND t10."owner_key" = t0."id"::text
        LIMIT 1
      ) j1
    ) AS "+sitter",
    (
      SELECT array_to_json(array_agg(t12."string_value" ORDER BY t12."position"))
      FROM "dynat"."attribute_value" t12
      WHERE t12."attribute_id" = $10::uuid AND t12."owner_key" = t0."id"::text
    ) AS "+names",
    (
      SELECT array_to_json(array_agg(row_to_json(j2)))
      FROM (
        SELECT
          't_Tag'::text AS "_entityName",
          COALESCE(t14."label"::text, '') AS "_instanceName",
          t14."code" AS "id"
        FROM "t"."tag" t14
        JOIN "dynat"."attribute_value" t13 ON t13."target_text" = t14."code"
        WHERE t13."attribute_id" = $11::uuid AND t13."owner_key" = t0."id"::text
        ORDER BY t13."position"
      ) j2
    ) AS "+labels"
) root
WHERE t0."id" = $12::uuid AND t0."deleted_date" IS NULL
