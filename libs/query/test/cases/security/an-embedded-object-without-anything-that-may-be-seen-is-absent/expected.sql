-- an embedded object without anything that may be seen is absent

SELECT count(*)::text AS "count"
FROM "t"."owner" t0
WHERE t0."deleted_date" IS NULL AND FALSE
