-- functions of numbers
-- $1 = "2"
-- $2 = "0"
-- $3 = "1"
-- $4 = "6"
-- $5 = "-1"
-- $6 = "2"
-- $7 = "2"
-- $8 = "0"
-- $9 = "3"
-- $10 = "Rex"
-- $11 = 100
-- $12 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    page."c0" AS "a",
    page."c1" AS "m",
    page."c2" AS "none",
    page."c3" AS "r",
    page."c4" AS "w",
    page."c5" AS "q",
    page."c6" AS "imaginary",
    page."c7" AS "f",
    page."c8" AS "c",
    page."c9" AS "whole",
    page."c10" AS "half",
    page."c11" AS "nothing",
    CASE
      WHEN page."c12" = trunc(page."c12")
        AND abs(page."c12") < 1e15 THEN (page."c12"::text || '.0')::json
      ELSE to_json(page."c12")
    END AS "d",
    page."c13" AS "negative"
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
      selected."c10" AS "c10",
      selected."c11" AS "c11",
      selected."c12" AS "c12",
      selected."c13" AS "c13"
    FROM (
      SELECT
        abs((- (t0."age")::numeric)) AS "c0",
        mod((t0."age")::numeric, NULLIF(($1::bigint)::numeric, 0)) AS "c1",
        mod((t0."age")::numeric, NULLIF(($2::bigint)::numeric, 0)) AS "c2",
        round(
          (t0."weight")::numeric,
          (LEAST(GREATEST(($3::bigint)::numeric, (-1000000000)), 1000000000))::integer
        ) AS "c3",
        round(
          (t0."weight")::numeric,
          (LEAST(GREATEST((0)::numeric, (-1000000000)), 1000000000))::integer
        ) AS "c4",
        trim_scale(
          sqrt(
            CASE
              WHEN (
                ((t0."age")::numeric + ($4::integer)::numeric)
              )::numeric >= 0 THEN (((t0."age")::numeric + ($4::integer)::numeric))::numeric
            END
          )
        ) AS "c5",
        trim_scale(
          sqrt(CASE WHEN ($5::bigint)::numeric >= 0 THEN ($5::bigint)::numeric END)
        ) AS "c6",
        floor((t0."weight")::numeric) AS "c7",
        ceil((t0."weight")::numeric) AS "c8",
        div((t0."age")::numeric, NULLIF(($6::integer)::numeric, 0)) AS "c9",
        trim_scale(((t0."weight")::numeric / NULLIF(($7::numeric)::numeric, 0))) AS "c10",
        div((t0."age")::numeric, NULLIF(($8::integer)::numeric, 0)) AS "c11",
        ((t0."ratio")::double precision * ($9::double precision)::double precision) AS "c12",
        (- (t0."weight")::numeric) AS "c13"
      FROM "t"."pet" t0
      WHERE t0."deleted_date" IS NULL AND t0."name" = $10::text
    ) selected
    LIMIT $11::bigint
    OFFSET $12::bigint
  ) page
) root
