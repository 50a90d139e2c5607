-- a composite key is an object and its base64url text finds the instance
-- $1 = "USD"
-- $2 = "2026-01-01"

SELECT row_to_json(root)::text AS "json"
FROM "t"."rate" t0
CROSS JOIN LATERAL (
  SELECT
    't_Rate'::text AS "_entityName",
    (
      't_Rate'::text
      || '-'::text
      || COALESCE(t0."id_currency"::text, '')
      || '-'::text
      || COALESCE(t0."id_valid_on"::text, '')
    ) AS "_instanceName",
    (
      SELECT row_to_json(j1)
      FROM (SELECT t0."id_currency" AS "currency", t0."id_valid_on" AS "validOn") j1
    ) AS "id",
    t0."value" AS "value"
) root
WHERE t0."id_currency" = $1::text AND t0."id_valid_on" = $2::date
