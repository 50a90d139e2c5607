-- a key of another name is shown under both names
-- $1 = "cute"

SELECT row_to_json(root)::text AS "json"
FROM "t"."tag" t0
CROSS JOIN LATERAL (
  SELECT
    't_Tag'::text AS "_entityName",
    COALESCE(t0."label"::text, '') AS "_instanceName",
    t0."code" AS "id",
    t0."code" AS "code",
    t0."label" AS "label"
) root
WHERE t0."code" = $1::text
