-- a text form is compared as its type
-- $1 = "PT2H"
-- $2 = ["1.5 hours","P1D"]
-- $3 = 100
-- $4 = 0

SELECT concat(
  '{"_entityName":"t_Trail"',
  ',"_instanceName":'
  || to_json(('t_Trail'::text || '-'::text || COALESCE(page."id"::text, '')))::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  CASE WHEN page."span" IS NOT NULL THEN ',"span":' END,
  to_json(page."span"),
  '}'
) AS "json"
FROM (
  SELECT t0."id" AS "id", t0."span" AS "span"
  FROM "t"."trail" t0
  WHERE (t0."span" < $1::interval AND t0."span" = ANY ($2::interval[]))
  ORDER BY t0."span" DESC
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
