-- a count has neither page nor expansion
-- $1 = "%a%"

SELECT count(*)::text AS "count"
FROM "t"."pet" t0
LEFT JOIN "t"."owner" t1 ON t1."id" = t0."owner_id"
WHERE t0."deleted_date" IS NULL AND lower(t1."name"::text) LIKE lower($1::text)
