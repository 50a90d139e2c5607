-- a page after a row in the order of a composite key
-- $1 = "USD"
-- $2 = "2026-01-01"
-- $3 = 1

SELECT
  row_to_json(root)::text AS "json",
  page."id_currency"::text AS "position_0",
  page."id_valid_on"::text AS "position_1"
FROM (
  SELECT *
  FROM (
    (
      SELECT t0."id_currency" AS "id_currency", t0."id_valid_on" AS "id_valid_on"
      FROM "t"."rate" t0
      WHERE t0."id_currency" = $1::text AND t0."id_valid_on" < $2::date
      ORDER BY t0."id_currency" DESC, t0."id_valid_on" DESC
      LIMIT $3::bigint
    ) UNION ALL (
      SELECT t0."id_currency" AS "id_currency", t0."id_valid_on" AS "id_valid_on"
      FROM "t"."rate" t0
      WHERE t0."id_currency" < $1::text
      ORDER BY t0."id_currency" DESC, t0."id_valid_on" DESC
      LIMIT $3::bigint
    )
  ) page
  ORDER BY page."id_currency" DESC, page."id_valid_on" DESC
  LIMIT $3::bigint
) page
CROSS JOIN LATERAL (
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
) root
