-- a sort by one has instances without a value last
-- $1 = "00000000-0000-4000-9000-000000000002"
-- $2 = "00000000-0000-4000-9000-000000000012"
-- $3 = "00000000-0000-4000-9000-000000000004"
-- $4 = 10
-- $5 = 0

SELECT
  concat(
    '{"_entityName":"t_Pet"',
    ',"_instanceName":'
    || to_json(
      (
        COALESCE(page."name"::text, '')
        || ' of '::text
        || COALESCE(
          (
            SELECT COALESCE(t5."name"::text, '')
            FROM "t"."owner" t5
            WHERE t5."id" = page."owner_id"
            LIMIT 1
          ),
          ''
        )
      )
    )::text,
    CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
    to_json(page."id"),
    CASE WHEN page."name" IS NOT NULL THEN ',"name":' END,
    to_json(page."name"),
    '}'
  ) AS "json",
  page."integer_value"::text AS "position_0",
  page."boolean_value"::text AS "position_1",
  page."decimal_value"::text AS "position_2",
  page."id"::text AS "position_3"
FROM (
  SELECT
    t0."name" AS "name",
    t0."owner_id" AS "owner_id",
    t0."id" AS "id",
    t1."integer_value" AS "integer_value",
    t3."boolean_value" AS "boolean_value",
    t4."decimal_value" AS "decimal_value"
  FROM "t"."pet" t0
  LEFT JOIN "dynat"."attribute_value" t1 ON t1."owner_key" = t0."id"::text
    AND t1."attribute_id" = $1::uuid
  LEFT JOIN (
    "t"."owner" t2 LEFT JOIN "dynat"."attribute_value" t3 ON t3."owner_key" = t2."id"::text
    AND t3."attribute_id" = $2::uuid
  ) ON t2."id" = t0."owner_id"
  LEFT JOIN "dynat"."attribute_value" t4 ON t4."owner_key" = t0."id"::text
    AND t4."attribute_id" = $3::uuid
  WHERE t0."deleted_date" IS NULL
  ORDER BY t1."integer_value", t3."boolean_value", t4."decimal_value" DESC, t0."id"
  LIMIT $4::bigint
  OFFSET $5::bigint
) page
