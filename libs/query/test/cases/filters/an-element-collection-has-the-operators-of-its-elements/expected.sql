-- an element collection has the operators of its elements
-- $1 = "ä"
-- $2 = "ä􏿿􏿿􏿿􏿿􏿿􏿿􏿿􏿿"
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
      FROM "t"."owner_nicknames" t1
      WHERE t1."owner_id" = t0."id"
        AND (
          lower(t1."value"::text) ~>=~ lower($1::text)
          AND lower(t1."value"::text) ~<=~ lower($2::text)
        )
    )
  ORDER BY t0."name"
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
