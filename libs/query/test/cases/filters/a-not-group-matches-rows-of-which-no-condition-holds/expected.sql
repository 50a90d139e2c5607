-- a NOT group matches rows of which no condition holds
-- $1 = "Rex"
-- $2 = "5"
-- $3 = "Bob"
-- $4 = 100
-- $5 = 0

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
    AND NOT (
      (
        EXISTS (
          SELECT 1
          FROM "t"."pet" t1
          WHERE t1."owner_id" = t0."id"
            AND t1."deleted_date" IS NULL
            AND (t1."name" = $1::text OR t1."age" > $2::integer)
        )
        OR t0."name" = $3::text
      )
    )
  ORDER BY t0."name"
  LIMIT $4::bigint
  OFFSET $5::bigint
) page
