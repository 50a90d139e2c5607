-- a count of values

SELECT count(*)::text AS "count"
FROM (
  SELECT t0."color" AS "c0", count(t0."id") AS "c1"
  FROM "t"."pet" t0
  WHERE t0."deleted_date" IS NULL
  GROUP BY t0."color"
) selected
