-- filters have the operators of each type
-- $1 = "00000000-0000-4000-9000-000000000001"
-- $2 = "%good \"%"
-- $3 = "00000000-0000-4000-9000-000000000002"
-- $4 = "3"
-- $5 = "00000000-0000-4000-9000-000000000003"
-- $6 = "0.1"
-- $7 = "00000000-0000-4000-9000-000000000004"
-- $8 = "12345678901234567890.12"
-- $9 = "00000000-0000-4000-9000-000000000005"
-- $10 = "2026-02-03T04:05:06"
-- $11 = "00000000-0000-4000-9000-000000000006"
-- $12 = "2024-02-29"
-- $13 = "00000000-0000-4000-9000-000000000007"
-- $14 = false
-- $15 = "00000000-0000-4000-9000-000000000008"
-- $16 = ["SMALL","LARGE"]
-- $17 = 100
-- $18 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Pet'::text AS "_entityName",
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t9."name"::text, '')
          FROM "t"."owner" t9
          WHERE t9."id" = page."owner_id"
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
          COALESCE(t10."name"::text, '') AS "_instanceName",
          t10."id" AS "id",
          t10."name" AS "name"
        FROM "t"."owner" t10
        WHERE t10."id" = page."owner_id"
        LIMIT 1
      ) j1
    ) AS "owner"
  FROM (
    SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
    FROM "t"."pet" t0
    WHERE t0."deleted_date" IS NULL
      AND (
        (
          EXISTS (
            SELECT 1
            FROM "dynat"."attribute_value" t1
            WHERE t1."owner_key" = t0."id"::text
              AND t1."attribute_id" = $1::uuid
              AND lower(t1."string_value"::text) LIKE lower($2::text)
          )
          OR EXISTS (
            SELECT 1
            FROM "dynat"."attribute_value" t2
            WHERE t2."owner_key" = t0."id"::text
              AND t2."attribute_id" = $3::uuid
              AND t2."integer_value" > $4::integer
          )
          OR EXISTS (
            SELECT 1
            FROM "dynat"."attribute_value" t3
            WHERE t3."owner_key" = t0."id"::text
              AND t3."attribute_id" = $5::uuid
              AND t3."double_value" <= $6::double precision
          )
          OR EXISTS (
            SELECT 1
            FROM "dynat"."attribute_value" t4
            WHERE t4."owner_key" = t0."id"::text
              AND t4."attribute_id" = $7::uuid
              AND t4."decimal_value" = $8::numeric
          )
        )
        AND (
          EXISTS (
            SELECT 1
            FROM "dynat"."attribute_value" t5
            WHERE t5."owner_key" = t0."id"::text
              AND t5."attribute_id" = $9::uuid
              AND t5."date_time_value" >= $10::timestamp
          )
          OR EXISTS (
            SELECT 1
            FROM "dynat"."attribute_value" t6
            WHERE t6."owner_key" = t0."id"::text
              AND t6."attribute_id" = $11::uuid
              AND t6."date_value" = $12::date
          )
          OR EXISTS (
            SELECT 1
            FROM "dynat"."attribute_value" t7
            WHERE t7."owner_key" = t0."id"::text
              AND t7."attribute_id" = $13::uuid
              AND t7."boolean_value" = $14::boolean
          )
          OR EXISTS (
            SELECT 1
            FROM "dynat"."attribute_value" t8
            WHERE t8."owner_key" = t0."id"::text
              AND t8."attribute_id" = $15::uuid
              AND t8."string_value" = ANY ($16::text[])
          )
        )
      )
    ORDER BY t0."name"
    LIMIT $17::bigint
    OFFSET $18::bigint
  ) page
) root
