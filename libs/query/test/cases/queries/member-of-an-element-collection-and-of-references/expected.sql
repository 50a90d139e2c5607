-- member of an element collection and of references
-- $1 = "Ann"
-- $2 = "Rex"
-- $3 = 100
-- $4 = 0

SELECT concat(
  '{"_entityName":"t_Owner"',
  ',"_instanceName":' || to_json(COALESCE(page."name"::text, ''))::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  CASE WHEN page."name" IS NOT NULL THEN ',"name":' END,
  to_json(page."name"),
  '}'
) AS "json"
FROM (
  SELECT t0."name" AS "name", t0."id" AS "id"
  FROM "t"."owner" t0
  JOIN "t"."pet" t1 ON TRUE
  WHERE t0."deleted_date" IS NULL
    AND t1."deleted_date" IS NULL
    AND (
      EXISTS (
        SELECT 1
        FROM "t"."owner_nicknames" t2
        WHERE t2."owner_id" = t0."id" AND t2."value" = $1::text
      )
      AND EXISTS (
        SELECT 1
        FROM "t"."pet" t3
        WHERE t3."owner_id" = t0."id" AND t3."deleted_date" IS NULL AND t3."id" = t1."id"
      )
      AND t1."name" = $2::text
    )
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
