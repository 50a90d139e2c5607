-- a hidden part of a name that code makes is null
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Visit'::text AS "_entityName",
    json_build_array(NULL::text, NULL::text) AS "_instanceName",
    page."id" AS "id"
  FROM (
    SELECT t0."id" AS "id" FROM "t"."visit" t0 ORDER BY t0."id" LIMIT $1::bigint OFFSET $2::bigint
  ) page
) root
