-- a text form without an order is compared as text
-- $1 = "<b/>"
-- $2 = "%B%"
-- $3 = 100
-- $4 = 0

SELECT concat(
  '{"_entityName":"t_Trail"',
  ',"_instanceName":'
  || to_json(('t_Trail'::text || '-'::text || COALESCE(page."id"::text, '')))::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  '}'
) AS "json"
FROM (
  SELECT t0."id" AS "id"
  FROM "t"."trail" t0
  WHERE (t0."map"::text = $1::text AND lower(t0."map"::text::text) LIKE lower($2::text))
  ORDER BY t0."map"::text
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
