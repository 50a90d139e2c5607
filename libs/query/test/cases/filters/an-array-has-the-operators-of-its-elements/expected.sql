-- an array has the operators of its elements
-- $1 = "in"
-- $2 = "in􏿿􏿿􏿿􏿿􏿿􏿿􏿿􏿿"
-- $3 = "9.5"
-- $4 = ["10.0.0.1","10.0.0.9"]
-- $5 = 100
-- $6 = 0

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
  WHERE (
    EXISTS (
      SELECT 1
      FROM unnest(t0."stops") WITH ORDINALITY t1 (value, position)
      WHERE (
        lower(t1."value"::text) ~>=~ lower($1::text)
        AND lower(t1."value"::text) ~<=~ lower($2::text)
      )
    )
    AND EXISTS (
      SELECT 1
      FROM unnest(t0."heights") WITH ORDINALITY t2 (value, position)
      WHERE t2."value" > $3::numeric
    )
    AND (t0."hosts" IS NOT NULL AND t0."hosts" && $4::inet[]::inet[])
  )
  ORDER BY t0."id"
  LIMIT $5::bigint
  OFFSET $6::bigint
) page
