-- a whole binary number keeps its fraction, others are as they are
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
          SELECT COALESCE(t1."name"::text, '')
          FROM "t"."owner" t1
          WHERE t1."id" = page."owner_id"
          LIMIT 1
        ),
        ''
      )
    )
  )::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  ',"ratio":'
  || to_json(
    CASE
      WHEN page."ratio" = trunc(page."ratio")
        AND abs(page."ratio") < 1e15 THEN (page."ratio"::text || '.0')::json
      ELSE to_json(page."ratio")
    END
  )::text,
  '}'
) AS "json"
FROM (
  SELECT t0."name" AS "name", t0."owner_id" AS "owner_id", t0."id" AS "id", t0."ratio" AS "ratio"
  FROM "t"."pet" t0
  WHERE t0."deleted_date" IS NULL AND t0."ratio" IS NOT NULL
  ORDER BY t0."name"
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
