-- some asks for one member that satisfies all conditions
-- $1 = "r"
-- $2 = "2"
-- $3 = 100
-- $4 = 0

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
    AND EXISTS (
      SELECT 1
      FROM "t"."pet" t1
      WHERE t1."owner_id" = t0."id"
        AND t1."deleted_date" IS NULL
        AND (t1."color" = $1::text AND t1."age" > $2::integer)
    )
  ORDER BY t0."name"
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
