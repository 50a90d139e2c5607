-- notIn finds embedded objects that are none of a list
-- $1 = ["Bonn","Ulm"]
-- $2 = ["DE","DE"]
-- $3 = 100
-- $4 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Owner'::text AS "_entityName",
    COALESCE(page."name"::text, '') AS "_instanceName",
    page."id" AS "id"
  FROM (
    SELECT t0."name" AS "name", t0."id" AS "id"
    FROM "t"."owner" t0
    WHERE t0."deleted_date" IS NULL
      AND (
        (t0."address_country" IS NOT NULL OR t0."address_city" IS NOT NULL)
        AND (
          (t0."address_city", t0."address_country") IN (
            SELECT * FROM unnest($1::text[], $2::text[])
          )
        ) IS NOT TRUE
      )
    ORDER BY t0."name"
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
