-- a composite key sorts
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Rate'::text AS "_entityName",
    (
      't_Rate'::text
      || '-'::text
      || COALESCE(page."id_currency"::text, '')
      || '-'::text
      || COALESCE(page."id_valid_on"::text, '')
    ) AS "_instanceName",
    (
      SELECT row_to_json(j1)
      FROM (SELECT page."id_currency" AS "currency", page."id_valid_on" AS "validOn") j1
    ) AS "id"
  FROM (
    SELECT t0."id_currency" AS "id_currency", t0."id_valid_on" AS "id_valid_on"
    FROM "t"."rate" t0
    ORDER BY t0."id_currency" DESC, t0."id_valid_on" DESC
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
