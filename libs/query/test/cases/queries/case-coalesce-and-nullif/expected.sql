-- case, coalesce and nullif
-- $1 = "5"
-- $2 = "old"
-- $3 = "unknown"
-- $4 = "young"
-- $5 = "r"
-- $6 = "1"
-- $7 = "2"
-- $8 = "0"
-- $9 = "3"
-- $10 = 100
-- $11 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    page."c0" AS "name",
    page."c1" AS "stage",
    page."c2" AS "code",
    page."c3" AS "age",
    page."c4" AS "other"
  FROM (
    SELECT
      selected."c0" AS "c0",
      selected."c1" AS "c1",
      selected."c2" AS "c2",
      selected."c3" AS "c3",
      selected."c4" AS "c4"
    FROM (
      SELECT
        t0."name" AS "c0",
        CASE
          WHEN t0."age" > $1::integer THEN $2::text
          WHEN t0."age" IS NULL THEN $3::text
          ELSE $4::text
        END AS "c1",
        CASE WHEN t0."color" = $5::text THEN $6::bigint ELSE $7::bigint END AS "c2",
        COALESCE(t0."age", $8::integer) AS "c3",
        NULLIF(t0."age", $9::integer) AS "c4",
        t0."name" AS "o0"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL
    ) selected
    ORDER BY selected."o0"
    LIMIT $10::bigint
    OFFSET $11::bigint
  ) page
) root
