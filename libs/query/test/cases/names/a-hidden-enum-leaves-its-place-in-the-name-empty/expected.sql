-- a hidden enum leaves its place in the name empty
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Reading'::text AS "_entityName",
    (
      ''::text
      || ' '::text
      || COALESCE(CASE page."level" WHEN 1 THEN 'Level.LOW' WHEN 2 THEN 'Hoch' END, '')
      || ' '::text
      || COALESCE(CASE page."alive" WHEN true THEN 'Ja' WHEN false THEN 'Nein' END, '')
      || ' '::text
      || COALESCE(
        translate(
          to_char(page."count"::numeric, 'FM99,999,999,999,999,999,999,999,999,999,999,999,990'),
          '.,',
          ',.'
        ),
        ''
      )
      || ' '::text
      || COALESCE(
        CASE
          WHEN abs(page."amount") < 1e38 THEN translate(
            to_char(
              CASE
                WHEN abs(page."amount") * 100 % 1 = 0.5 THEN round(page."amount" * 50) * 0.02
                ELSE round(page."amount", 2)
              END,
              'FM99,999,999,999,999,999,999,999,999,999,999,999,990.00'
            ),
            '.,',
            ',.'
          )
          ELSE page."amount"::text
        END,
        ''
      )
      || ' '::text
      || COALESCE(
        CASE
          WHEN abs(page."exact") < 1e38 THEN translate(
            to_char(
              CASE
                WHEN abs(page."exact") * 100 % 1 = 0.5 THEN round(page."exact" * 50) * 0.02
                ELSE round(page."exact", 2)
              END,
              'FM99,999,999,999,999,999,999,999,999,999,999,999,990.00'
            ),
            '.,',
            ',.'
          )
          ELSE page."exact"::text
        END,
        ''
      )
      || ' '::text
      || COALESCE(
        CASE
          WHEN abs(page."ratio") < 1e38 THEN translate(
            rtrim(
              to_char(
                CASE
                  WHEN abs(page."ratio"::numeric) * 1000 % 1 = 0.5 THEN round(
                    page."ratio"::numeric * 500
                  ) * 0.002
                  ELSE round(page."ratio"::numeric, 3)
                END,
                'FM99,999,999,999,999,999,999,999,999,999,999,999,990.999'
              ),
              '.'
            ),
            '.,',
            ',.'
          )
          ELSE page."ratio"::text
        END,
        ''
      )
      || ' '::text
      || COALESCE(to_char(page."born", 'DD"."MM"."YYYY'), '')
      || ' '::text
      || COALESCE(to_char(page."seen_at", 'DD"."MM"."YYYY" "HH24":"MI'), '')
      || ' '::text
      || COALESCE(
        to_char(page."chipped_at" AT TIME ZONE 'UTC', 'DD"."MM"."YYYY" "HH24":"MI" ""+0000"'), ''
      )
      || ' '::text
      || COALESCE(to_char(page."feed_at", 'HH24":"MI'), '')
      || ' '::text
      || COALESCE(
        (
          substr(page."opens_at"::text, 1, 5)
          || ' '
          || rpad(replace(substring(page."opens_at"::text FROM '[+-].*$'), ':', ''), 5, '0')
        ),
        ''
      )
    ) AS "_instanceName",
    page."id" AS "id",
    CASE page."level" WHEN 1 THEN 'LOW' WHEN 2 THEN 'HIGH' END AS "level",
    page."alive" AS "alive",
    page."count" AS "count",
    page."amount" AS "amount",
    page."exact" AS "exact",
    CASE
      WHEN page."ratio" = trunc(page."ratio")
        AND abs(page."ratio") < 1e15 THEN (page."ratio"::text || '.0')::json
      ELSE to_json(page."ratio")
    END AS "ratio",
    page."born" AS "born",
    to_char(page."seen_at", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "seenAt",
    to_char(page."chipped_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "chippedAt",
    page."feed_at" AS "feedAt",
    regexp_replace(
      regexp_replace(page."opens_at"::text, '[+-]00(:00)?$', 'Z'), '([+-]\d\d)$', '\1:00'
    ) AS "opensAt"
  FROM (
    SELECT
      t0."level" AS "level",
      t0."alive" AS "alive",
      t0."count" AS "count",
      t0."amount" AS "amount",
      t0."exact" AS "exact",
      t0."ratio" AS "ratio",
      t0."born" AS "born",
      t0."seen_at" AS "seen_at",
      t0."chipped_at" AS "chipped_at",
      t0."feed_at" AS "feed_at",
      t0."opens_at" AS "opens_at",
      t0."id" AS "id"
    FROM "t"."reading" t0
    ORDER BY t0."id"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
