-- attributes are compared with each other
-- $1 = 100
-- $2 = 0

SELECT concat(
  '{"_entityName":"t_Pet"',
  ',"_instanceName":'
  || to_json(
    (
      COALESCE(page."name"::text, '')
      || ' of '::text
      || COALESCE(
        (
          SELECT COALESCE(t3."name"::text, '')
          FROM "t"."owner" t3
          WHERE t3."id" = page."owner_id"
          LIMIT 1
        ),
        ''
      )
    )
  )::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  '}'
) AS "json"
FROM (
  SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id"
  FROM "t"."pet" t0
  WHERE t0."deleted_date" IS NULL
    AND (
      t0."age" < t0."serial"
      AND t0."chipped_at" > t0."seen_at"
      AND NOT (t0."weight" >= t0."ratio")
      AND EXISTS (
        SELECT 1
        FROM "t"."visit" t1
        LEFT JOIN "t"."rate" t2 ON t2."id_currency" = t1."rate_id_currency"
          AND t2."id_valid_on" = t1."rate_id_valid_on"
        WHERE t1."pet_id" = t0."id" AND (t1."cost" <= t2."value" AND t1."pet_id" = t1."pet_id")
      )
    )
  ORDER BY t0."name"
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
