-- an embedded object of one member of a collection has all attributes
-- $1 = "Bonn"
-- $2 = "DE"
-- $3 = 100
-- $4 = 0

SELECT concat(
  '{"_entityName":"t_Tag"',
  ',"_instanceName":' || to_json(COALESCE(page."label"::text, ''))::text,
  CASE WHEN page."code" IS NOT NULL THEN ',"id":' END,
  to_json(page."code"),
  '}'
) AS "json"
FROM (
  SELECT t0."label" AS "label", t0."code" AS "code"
  FROM "t"."tag" t0
  WHERE EXISTS (
    SELECT 1
    FROM "t"."pet" t1
    JOIN "t"."pet_tags_link" t2 ON t2."pet_id" = t1."id"
    LEFT JOIN "t"."owner" t3 ON t3."id" = t1."owner_id"
    WHERE t2."tag_code" = t0."code"
      AND t1."deleted_date" IS NULL
      AND (t3."address_city" = $1::text AND t3."address_country" = $2::text)
  )
  ORDER BY t0."label"
  LIMIT $3::bigint
  OFFSET $4::bigint
) page
