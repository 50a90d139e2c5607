-- a count tests the other end

SELECT count(*)::text AS "count"
FROM "t"."pet" t0
LEFT JOIN "t"."licence" t1 ON t1."pet_id" = t0."id" AND t1."deleted_date" IS NULL
WHERE t0."deleted_date" IS NULL AND t1."id" IS NOT NULL
