-- a descendant is filtered by the attributes of its ancestors
-- $1 = "00000000-0000-4000-9000-000000000013"
-- $2 = "B-1"
-- $3 = "00000000-0000-4000-9000-000000000014"
-- $4 = 2
-- $5 = 100
-- $6 = 0

SELECT concat(
  '{"_entityName":"t_Vet"',
  ',"_instanceName":' || to_json(('Dr. '::text || COALESCE(page."name"::text, '')))::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  CASE WHEN page."name" IS NOT NULL THEN ',"name":' END,
  to_json(page."name"),
  '}'
) AS "json"
FROM (
  SELECT t4."name" AS "name", t0."id" AS "id"
  FROM "t"."vet" t0
  JOIN "t"."staff" t4 ON t4."id" = t0."id"
  WHERE (
    EXISTS (
      SELECT 1
      FROM "dynat"."attribute_value" t1
      WHERE t1."owner_key" = t0."id"::text
        AND t1."attribute_id" = $1::uuid
        AND t1."string_value" = $2::text
    )
    AND EXISTS (
      SELECT 1
      FROM "t"."staff" t3
      JOIN "dynat"."attribute_value" t2 ON t2."target_number" = t3."id"
      WHERE t2."owner_key" = t0."id"::text
        AND t2."attribute_id" = $3::uuid
        AND t3."id" = $4::integer
    )
  )
  LIMIT $5::bigint
  OFFSET $6::bigint
) page
