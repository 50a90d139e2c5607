-- a count of rows

SELECT count(*)::text AS "count"
FROM "t"."pet" t0
JOIN "t"."visit" t1 ON t1."pet_id" = t0."id"
WHERE t0."deleted_date" IS NULL
