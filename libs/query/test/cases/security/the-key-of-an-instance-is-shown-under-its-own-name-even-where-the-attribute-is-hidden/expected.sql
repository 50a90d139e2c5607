-- the key of an instance is shown under its own name even where the attribute is hidden
-- $1 = 100
-- $2 = 0

SELECT concat(
  '{"_entityName":"t_Tag"',
  ',"_instanceName":' || to_json(''::text)::text,
  CASE WHEN page."code" IS NOT NULL THEN ',"id":' END,
  to_json(page."code"),
  CASE WHEN page."code" IS NOT NULL THEN ',"code":' END,
  to_json(page."code"),
  '}'
) AS "json"
FROM (
  SELECT t0."code" AS "code" FROM "t"."tag" t0 ORDER BY t0."code" LIMIT $1::bigint OFFSET $2::bigint
) page
