-- the key of an instance is shown under its own name even where the attribute is hidden
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Tag'::text AS "_entityName",
    ''::text AS "_instanceName",
    page."code" AS "id",
    page."code" AS "code"
  FROM (
    SELECT t0."code" AS "code"
    FROM "t"."tag" t0
    ORDER BY t0."code"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
