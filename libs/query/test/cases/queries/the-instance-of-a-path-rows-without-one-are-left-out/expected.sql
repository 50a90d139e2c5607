-- the instance of a path; rows without one are left out
-- $1 = 100
-- $2 = 0

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
  SELECT t2."name" AS "name", t2."id" AS "id"
  FROM "t"."visit" t0
  JOIN "t"."pet" t1 ON t1."id" = t0."pet_id"
  JOIN "t"."owner" t2 ON t2."id" = t1."owner_id"
  ORDER BY t0."id"
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
