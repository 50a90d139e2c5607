-- count compares the number of members
-- $1 = "2"
-- $2 = "100"
-- $3 = "1"
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
    AND (
      SELECT count(*) AS "n"
      FROM "t"."pet" t1
      WHERE t1."owner_id" = t0."id"
        AND t1."deleted_date" IS NULL
        AND (
          t1."age" > $1::integer
          OR EXISTS (
            SELECT 1 FROM "t"."visit" t2 WHERE t2."pet_id" = t1."id" AND t2."cost" < $2::numeric
          )
        )
    ) >= $3::bigint
  ORDER BY t0."name"
  LIMIT $4::bigint
  OFFSET $5::bigint
) page
