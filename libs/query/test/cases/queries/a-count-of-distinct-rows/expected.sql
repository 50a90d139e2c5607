-- a count of distinct rows

SELECT count(*)::text AS "count"
FROM (
  SELECT DISTINCT t0."id" AS "c0", t0."name" AS "o0"
  FROM "t"."pet" t0
  JOIN "t"."visit" t1 ON t1."pet_id" = t0."id"
  WHERE t0."deleted_date" IS NULL
) selected
