-- an attribute of an ancestor
-- $1 = "House"
-- $2 = 100
-- $3 = 0

SELECT concat(
  '{"_entityName":"t_Vet"',
  ',"_instanceName":' || to_json(('Dr. '::text || COALESCE(page."name"::text, '')))::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  '}'
) AS "json"
FROM (
  SELECT t1."name" AS "name", t0."id" AS "id"
  FROM "t"."vet" t0
  JOIN "t"."staff" t1 ON t1."id" = t0."id"
  WHERE t1."name" = $1::text
  LIMIT $2::bigint
  OFFSET $3::bigint
) page
