-- AND of tests of one collection asks once for each, up to four
-- $1 = "0"
-- $2 = "100"
-- $3 = "X"
-- $4 = 100
-- $5 = 0

SELECT concat(
  '{"_entityName":"t_Owner"',
  ',"_instanceName":' || to_json(COALESCE(page."name"::text, ''))::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  '}'
) AS "json"
FROM (
  SELECT t0."name" AS "name", t0."id" AS "id"
  FROM "t"."owner" t0
  WHERE t0."deleted_date" IS NULL
    AND (
      EXISTS (
        SELECT 1
        FROM "t"."pet" t1
        WHERE t1."owner_id" = t0."id" AND t1."deleted_date" IS NULL AND t1."age" > $1::integer
      )
      AND EXISTS (
        SELECT 1
        FROM "t"."pet" t2
        WHERE t2."owner_id" = t0."id" AND t2."deleted_date" IS NULL AND t2."age" < $2::integer
      )
      AND EXISTS (
        SELECT 1
        FROM "t"."pet" t3
        WHERE t3."owner_id" = t0."id" AND t3."deleted_date" IS NULL AND t3."name" <> $3::text
      )
    )
  ORDER BY t0."name"
  LIMIT $4::bigint
  OFFSET $5::bigint
) page
