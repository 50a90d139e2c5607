-- an inherited attribute comes from the ancestor's table
-- $1 = 100
-- $2 = 0

SELECT concat(
  '{"_entityName":"t_Vet"',
  ',"_instanceName":' || to_json(('Dr. '::text || COALESCE(page."name"::text, '')))::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  CASE WHEN page."name" IS NOT NULL THEN ',"name":' END,
  to_json(page."name"),
  CASE WHEN page."licence" IS NOT NULL THEN ',"licence":' END,
  to_json(page."licence"),
  '}'
) AS "json"
FROM (
  SELECT t1."name" AS "name", t0."id" AS "id", t0."licence" AS "licence"
  FROM "t"."vet" t0
  JOIN "t"."staff" t1 ON t1."id" = t0."id"
  ORDER BY t1."name"
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
