-- a count of groups
-- $1 = "1"

SELECT count(*)::text AS "count"
FROM (
  SELECT t0."id" AS "c0"
  FROM "t"."owner" t0
  JOIN "t"."pet" t1 ON t1."owner_id" = t0."id" AND t1."deleted_date" IS NULL
  WHERE t0."deleted_date" IS NULL
  GROUP BY t0."id"
  HAVING count(t1."id") > $1::bigint
) selected
