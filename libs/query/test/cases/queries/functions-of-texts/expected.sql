-- functions of texts
-- $1 = "-"
-- $2 = "!"
-- $3 = "2"
-- $4 = "1"
-- $5 = "2"
-- $6 = "e"
-- $7 = "4"
-- $8 = "x"
-- $9 = "R"
-- $10 = "e"
-- $11 = "o"
-- $12 = "Rex"
-- $13 = 100
-- $14 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    page."c0" AS "u",
    page."c1" AS "c",
    page."c2" AS "b",
    page."c3" AS "l",
    page."c4" AS "s",
    page."c5" AS "t",
    page."c6" AS "at",
    page."c7" AS "none",
    page."c8" AS "trimmed",
    page."c9" AS "lead",
    page."c10" AS "r"
  FROM (
    SELECT
      selected."c0" AS "c0",
      selected."c1" AS "c1",
      selected."c2" AS "c2",
      selected."c3" AS "c3",
      selected."c4" AS "c4",
      selected."c5" AS "c5",
      selected."c6" AS "c6",
      selected."c7" AS "c7",
      selected."c8" AS "c8",
      selected."c9" AS "c9",
      selected."c10" AS "c10"
    FROM (
      SELECT
        upper((t0."name")::text) AS "c0",
        (((t0."name")::text || ($1::text)::text) || (t0."age")::text) AS "c1",
        ((t0."name")::text || ($2::text)::text) AS "c2",
        length((t0."name")::text) AS "c3",
        substr(
          (t0."name")::text,
          (LEAST(GREATEST(($3::bigint)::numeric, (-1000000000)), 1000000000))::integer
        ) AS "c4",
        substr(
          (t0."name")::text,
          (LEAST(GREATEST(($4::bigint)::numeric, (-1000000000)), 1000000000))::integer,
          GREATEST((LEAST(GREATEST(($5::bigint)::numeric, (-1000000000)), 1000000000))::integer, 0)
        ) AS "c5",
        strpos((t0."name")::text, ($6::text)::text) AS "c6",
        CASE
          WHEN strpos(
            substr(
              (t0."name")::text,
              GREATEST(
                (LEAST(GREATEST(($7::bigint)::numeric, (-1000000000)), 1000000000))::integer, 1
              )
            ),
            ($8::text)::text
          ) = 0 THEN 0
          ELSE (
            (
              strpos(
                substr(
                  (t0."name")::text,
                  GREATEST(
                    (LEAST(GREATEST(($7::bigint)::numeric, (-1000000000)), 1000000000))::integer, 1
                  )
                ),
                ($8::text)::text
              ) + GREATEST(
                (LEAST(GREATEST(($7::bigint)::numeric, (-1000000000)), 1000000000))::integer, 1
              )
            ) - 1
          )
        END AS "c7",
        trim(BOTH $9::text FROM t0."name") AS "c8",
        trim(LEADING FROM t0."name") AS "c9",
        replace((t0."name")::text, ($10::text)::text, ($11::text)::text) AS "c10"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL AND t0."name" = $12::text
    ) selected
    LIMIT $13::bigint
    OFFSET $14::bigint
  ) page
) root
